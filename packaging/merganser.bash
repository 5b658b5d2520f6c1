# Completion of merganser's options for bash.
_merganser() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  case $previous in
    -f | --file)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    --warehouse | --temp-directory)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    --format)
      mapfile -t COMPREPLY < <(compgen -W "table csv json jsonl markdown" -- "$current")
      ;;
    -e | --execute | --conf | --memory-limit | --threads | --truncate) ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "--execute --file --warehouse --format --truncate
        --vertical --conf --memory-limit --temp-directory --threads --keep-going --timing
        --version --help" -- "$current")
      ;;
  esac
}
complete -o filenames -F _merganser merganser
