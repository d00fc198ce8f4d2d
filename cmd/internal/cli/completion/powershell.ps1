# completion of TOOL, which is asked what completes the line
Register-ArgumentCompleter -Native -CommandName TOOL -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and -not $wordToComplete.StartsWith('-')) {
    $words = @($words | Select-Object -SkipLast 1)
  }
  $env:KDD_TYPED = $wordToComplete
  & TOOL @words --generate-shell-completion 2>$null | ForEach-Object {
    $name, $meaning = $_ -split [char]9, 2
    if ($name -like "$wordToComplete*") {
      if (-not $meaning) { $meaning = $name }
      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $meaning)
    }
  }
}
