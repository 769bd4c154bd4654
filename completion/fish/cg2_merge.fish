# made by cg2tools/completion.py
complete -c cg2_merge -s h -l help -d 'this text'
complete -c cg2_merge -l version -d 'the version'
complete -c cg2_merge -s o -l output -r -d 'write the sum to OUT'
complete -c cg2_merge -l imbalance -d 'list what each file costs, and the functions whose greatest cost is furthest above their mean'
complete -c cg2_merge -l sort -x -d 'by this event'
complete -c cg2_merge -l rows -x -d 'list N functions'
