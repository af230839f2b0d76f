# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Print the shell completion for these commands.

Print the completion for a shell. For good, in ~/.bashrc: source <(mvsim_ros2 completion bash); in
~/.zshrc after compinit: source <(mvsim_ros2 completion zsh); for fish: mvsim_ros2 completion fish
> ~/.config/fish/completions/mvsim_ros2.fish
"""

import argparse
from collections.abc import Sequence

from mvsim_ros2.base.package_files import share_directory, WORLD_SUFFIX
from mvsim_ros2.cli.new import shipped

BASH = """\
# Completion of mvsim_ros2 for bash: source <(mvsim_ros2 completion bash)
_mvsim_ros2() {
    local answer
    mapfile -t answer < <("${COMP_WORDS[0]}" completion words \\
        "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
    [ "${answer[0]}" != files ] || compopt -o default -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(printf '%s\\n' "${answer[@]:1}" | cut -f 1 | grep .)
    [ "${answer[0]}" != files ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \\
        < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -F _mvsim_ros2 mvsim_ros2
"""
ZSH = """\
#compdef mvsim_ros2
# Completion of mvsim_ros2 for zsh: source <(mvsim_ros2 completion zsh), after compinit
_mvsim_ros2() {
    local -a answer found
    answer=("${(@f)$("${words[1]}" completion words "${(@)words[2,CURRENT]}" 2> /dev/null)}")
    found=("${(@)${(@)answer[2,-1]//:/\\\\:}/$'\\t'/:}")
    [[ -z ${answer[2]} ]] || _describe -V mvsim_ros2 found
    [[ ${answer[1]} != files ]] || _files
}
compdef _mvsim_ros2 mvsim_ros2
"""
FISH = """\
# Completion of mvsim_ros2 for fish: mvsim_ros2 completion fish | source
function __mvsim_ros2_words
    set -l before (commandline -opc)
    set -l answer ($before[1] completion words $before[2..-1] (commandline -ct) 2> /dev/null)
    test "$answer[1]" = files; and __fish_complete_path (commandline -ct)
    test (count $answer) -gt 1; and string join \\n $answer[2..-1]
end
complete -c mvsim_ros2 -f -a '(__mvsim_ros2_words)'
"""
SHELLS = {'bash': BASH, 'zsh': ZSH, 'fish': FISH}
# what stands for a path in help texts
PATHS = {'ARCHIVE', 'BAG', 'CLASS.xml', 'FILE', 'FOLDER', 'LOG', 'PLAN', 'RUN', 'WHAT', 'WORLD',
         'XML'}

Candidate = tuple[str, str]  # a word and what it means


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument(
        'shell', metavar='SHELL', choices=(*SHELLS, 'words'), help='bash, zsh or fish; their '
        'scripts call "words WORD ..." for completions of the last word')
    command.add_argument('words', nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Print a script, or the possible completions of the last word."""
    if options.shell != 'words':
        print(SHELLS[options.shell], end='')
        return 0
    from mvsim_ros2.cli.run_command import make_parser

    found, paths = candidates(make_parser(), options.words)
    print('files' if paths else 'words')
    for word, meaning in found:
        print(f'{word}\t{meaning}' if meaning else word)
    return 0


def candidates(parser: argparse.ArgumentParser,
               words: Sequence[str]) -> tuple[list[Candidate], bool]:
    """Return the possible completions of the last word, and whether a path is one."""
    *before, begun = words or ['']
    waiting = _positionals(parser)  # for values that are still to come
    option: argparse.Action | None = None  # that takes the next word
    taken = 0  # values of that option so far
    for word in before:
        if word.startswith('-'):
            option, taken = parser._option_string_actions.get(word), 0
        elif option is not None and _takes(option, taken):
            taken += 1
        elif waiting and isinstance(waiting[0], argparse._SubParsersAction):
            parser = waiting[0].choices.get(word, parser)
            waiting, option = _positionals(parser), None
        elif waiting and waiting[0].nargs not in ('+', '*'):
            waiting = waiting[1:]
    if begun.startswith('-'):
        return _beginning(begun, [
            (name, _first_sentence(action)) for action in parser._actions
            for name in action.option_strings if name.startswith('--')]), False
    if option is not None and _takes(option, taken):
        return _values(option, begun)
    return _values(waiting[0], begun) if waiting else ([], False)


def _positionals(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if not action.option_strings]


def _takes(option: argparse.Action, taken: int) -> bool:
    """Return whether an option takes one more value."""
    if option.nargs in ('+', '*'):
        return True
    return taken < (1 if option.nargs is None else option.nargs if isinstance(
        option.nargs, int) else 0)


def _values(action: argparse.Action, begun: str) -> tuple[list[Candidate], bool]:
    """Return values of an option or of a place, and whether paths are among them."""
    if isinstance(action, argparse._SubParsersAction):
        found = [(choice.dest, choice.help or '') for choice in action._choices_actions]
    elif action.choices:
        found = [(str(choice), '') for choice in action.choices]
    elif action.metavar in ('WORLD', 'WHAT'):
        files = sorted((share_directory() / 'worlds').glob(f'*{WORLD_SUFFIX}'))
        found = [(path.name.removesuffix(WORLD_SUFFIX), 'world of this package')
                 for path in files]
    elif action.dest in ('vehicle', 'sensors') and action.metavar == 'NAME' and action.default:
        found = [(name, '') for name in shipped(action.dest.removesuffix('s'))]
    else:
        found = []
    return _beginning(begun, found), action.metavar in PATHS


def _beginning(begun: str, found: list[Candidate]) -> list[Candidate]:
    return [each for each in found if each[0].startswith(begun)]


def _first_sentence(action: argparse.Action) -> str:
    return (action.help or '').partition(';')[0].partition(' (default')[0].replace('%%', '%')
