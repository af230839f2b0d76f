// Keys and an on-screen joystick that drive a vehicle. Runs in the page of the window: viser
// shows GUI elements only, so this reads keys itself and has a connection of its own.
(() => {
  if (window.mvsimDrive) return;
  const state = window.mvsimDrive = {};
  let socket = null;  // to the path `drive` below the token, as the page has it
  const MOTIONS = {
    KeyW: ['forward', 1], ArrowUp: ['forward', 1], KeyS: ['forward', -1],
    ArrowDown: ['forward', -1], KeyA: ['turn', 1], ArrowLeft: ['turn', 1],
    KeyD: ['turn', -1], ArrowRight: ['turn', -1], KeyQ: ['left', 1], KeyE: ['left', -1],
  };
  const PHONE = 576;  // px; on narrower pages viser has the panel at the bottom
  const held = new Set();
  let stick = null;  // [forward, turn] while a finger or the mouse is on the joystick
  let stopping = 0;  // how many more times a halt is sent

  const send = (text) => {
    if (!socket || socket.readyState > WebSocket.OPEN) {
      const {origin, pathname} = window.location;
      const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
      socket = new WebSocket(`${origin.replace('http', 'ws')}${folder}drive`);
      socket.onopen = tell;
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.send(text);
    }
  };

  const motion = () => {
    const sum = {forward: 0, left: 0, turn: 0};
    for (const code of held) sum[MOTIONS[code][0]] += MOTIONS[code][1];
    if (stick) [sum.forward, sum.turn] = stick;
    for (const name in sum) sum[name] = Math.max(-1, Math.min(1, sum[name]));
    return sum;
  };

  const tell = () => {
    const {forward, left, turn} = motion();
    const moving = held.size > 0 || stick !== null;
    if (moving) stopping = 3;
    if (!moving && stopping-- <= 0) return;
    send([forward, left, turn].map((part) => part.toFixed(2)).join(' '));
  };
  setInterval(tell, 100);

  const typing = (target) => target instanceof HTMLElement
    && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
  window.addEventListener('keydown', (event) => {
    if (!(event.code in MOTIONS) || event.ctrlKey || event.metaKey || event.altKey
        || typing(event.target) || pad.hidden) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!held.has(event.code)) {
      held.add(event.code);
      tell();
    }
  }, true);
  window.addEventListener('keyup', (event) => {
    if (held.delete(event.code)) tell();
  }, true);
  window.addEventListener('blur', () => { held.clear(); tell(); });
  // a button that was clicked would take the space bar
  document.addEventListener('click', () => setTimeout(() => {
    if (document.activeElement && document.activeElement.tagName === 'BUTTON') {
      document.activeElement.blur();
    }
  }), true);

  const pad = document.createElement('div');
  pad.id = 'mvsim-joystick';
  pad.hidden = true;
  pad.title = 'drag to drive; or hold W A S D';
  pad.innerHTML = '<div></div>';
  const style = document.createElement('style');
  style.textContent = `
    #mvsim-joystick { position: fixed; left: 14px; bottom: 84px; width: 96px; height: 96px;
      border-radius: 50%; z-index: 50; touch-action: none; cursor: grab; opacity: 0.8;
      background: rgba(128,140,155,0.22); border: 2px solid rgba(128,140,155,0.55); }
    #mvsim-joystick[hidden] { display: none; }
    #mvsim-joystick > div { position: absolute; left: 29px; top: 29px; width: 34px;
      height: 34px; border-radius: 50%; background: rgba(29,95,209,0.85);
      box-shadow: 0 1px 4px rgba(0,0,0,0.4); }
    /* the paragraph of viser on drawing without a graphics card covers much: it is the title only,
       until the mouse or a finger is on it */
    #webgl-software-rendering:not(:hover) .mantine-Notification-description { display: none; }`;
  document.head.append(style);
  if (window.innerWidth < PHONE) {  // the panel is at the bottom there: fold it by its title
    document.querySelector('.tabler-icon-cloud-check')?.parentElement.click();
  }
  document.body.append(pad);
  const knob = pad.firstElementChild;
  const RADIUS = 36;  // px
  const move = (event) => {
    const box = pad.getBoundingClientRect();
    let x = event.clientX - box.left - box.width / 2;
    let y = event.clientY - box.top - box.height / 2;
    const far = Math.hypot(x, y);
    if (far > RADIUS) { x *= RADIUS / far; y *= RADIUS / far; }
    knob.style.transform = `translate(${x}px, ${y}px)`;
    stick = [-y / RADIUS, -x / RADIUS];
  };
  pad.addEventListener('pointerdown', (event) => {
    pad.setPointerCapture(event.pointerId);
    move(event);
    tell();
  });
  pad.addEventListener('pointermove', (event) => { if (stick) move(event); });
  const release = () => {
    stick = null;
    knob.style.transform = '';
    tell();
  };
  pad.addEventListener('pointerup', release);
  pad.addEventListener('pointercancel', release);
  state.show = (on) => { pad.hidden = !on; if (!on) { held.clear(); stick = null; } };
})();
