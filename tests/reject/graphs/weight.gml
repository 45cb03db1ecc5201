graph [
  edge [ source 0 target 1 packets 1.5 ]
]
