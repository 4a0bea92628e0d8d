// The completion scripts of the shells. They pass the typed words to `assay __complete` and offer the lines that it prints.

import type { Shell } from '../verbs.ts';

/** The output of `assay completion <shell>`. A script calls the program that is being typed, so that a project's own `assay` answers. */
export const COMPLETION_SCRIPTS: Record<Shell, string> = {
  bash: `# Completion of assay for bash. In ~/.bashrc:
#
#   source <(assay completion bash)
#
# Or once, for bash-completion:
#
#   assay completion bash > ~/.local/share/bash-completion/completions/assay

_assay_complete() {
  local program=\${COMP_WORDS[0]/#\\~\\//$HOME/} line
  type -P -- "$program" > /dev/null || program=assay
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      $'\\tfiles'*) compopt -o default 2> /dev/null ;;
      $'\\tnospace') compopt -o nospace 2> /dev/null ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("$program" __complete --line "\${COMP_LINE:0:COMP_POINT}" --breaks "$COMP_WORDBREAKS" 2> /dev/null < /dev/null)
}

if type compopt > /dev/null 2>&1; then
  complete -F _assay_complete assay
else
  # Bash 3 cannot be told where files are wanted.
  complete -o default -F _assay_complete assay
fi
`,
  fish: `# Completion of assay for fish. Once:
#
#   assay completion fish > ~/.config/fish/completions/assay.fish

function __assay_complete
    set -l words (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    type -q -- $program; or set program assay
    set -e words[1]
    set -l typed (commandline -ct)
    set -l current (string unescape -- $typed; or echo -- $typed)
    for line in (command $program __complete -- $words "$current" 2> /dev/null < /dev/null)
        switch $line
            case \\tfiles\\*
                set -l prefix (string split -- \\t $line)[3]
                set -l start (string sub -s (math (string length -- "$prefix") + 1) -- "$current")
                for path in (__fish_complete_path "$start" '')
                    echo -- "$prefix$path"
                end
            case \\tnospace
                # Fish leaves the space out itself, behind = and other signs.
            case '*'
                echo -- $line
        end
    end
end

complete -c assay -f -a '(__assay_complete)'
`,
  zsh: `#compdef assay
# Completion of assay for zsh. In ~/.zshrc, after compinit:
#
#   source <(assay completion zsh)
#
# Or once, into a folder of $fpath:
#
#   assay completion zsh > "\${fpath[1]}/_assay"

_assay() {
  local program=\${\${(Q)words[1]}/#\\~\\//$HOME/} line files name
  local -a described space
  whence -p -- "$program" > /dev/null || program=assay
  for line in "\${(@f)$("$program" __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2> /dev/null < /dev/null)}"; do
    case $line in
      $'\\tfiles'*) files="\${\${line#$'\\tfiles'}#$'\\t'}" ;;
      $'\\tnospace') space=(-S '') ;;
      '') ;;
      *)
        name=\${line%%$'\\t'*}
        name=\${\${name//\\\\/\\\\\\\\}//:/\\\\:}
        if [[ $line == *$'\\t'* ]]; then
          described+=("$name:\${line#*$'\\t'}")
        else
          described+=("$name")
        fi
        ;;
    esac
  done
  local result=1
  (( $#described )) && _describe -V -t values value described "\${(@)space}" && result=0
  if (( \${+files} && result )); then
    [[ -n $files ]] && compset -P "\${(b)files}"
    _files && result=0
  fi
  return result
}

if [[ \${funcstack[1]} == _assay ]]; then
  _assay "$@"
else
  compdef _assay assay
fi
`,
};
