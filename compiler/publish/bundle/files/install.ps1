# Checks that this kit is whole, and registers what it holds with an agent's host:
#
#   powershell -ExecutionPolicy Bypass -File install.ps1 claude    with Claude Code, for you, in all projects
#   ... install.ps1 all                                            with every host that is on this machine
#   ... install.ps1 claude --scope project                         for the project in whose folder you are
#   ... install.ps1 check                                          check alone
#
# The registration names the files of this folder: leave it where it is, or run this again where you moved it.
$ErrorActionPreference = 'Stop'
$here = $PSScriptRoot

foreach ($line in Get-Content -LiteralPath (Join-Path $here 'SHA256SUMS') -Encoding UTF8) {
    $want = $line.Substring(0, 64)
    $name = $line.Substring(66)
    $file = Join-Path $here $name
    if (-not (Test-Path -LiteralPath $file) -or (Get-FileHash -LiteralPath $file -Algorithm SHA256).Hash -ne $want) {
        [Console]::Error.WriteLine("install.ps1: $name is not what it was when the kit was packed; copy and unpack it again")
        exit 1
    }
}

if ($args.Count -eq 0 -or $args[0] -like '-*') {
    Get-Content -LiteralPath $PSCommandPath -TotalCount 8 | ForEach-Object { [Console]::Error.WriteLine($_.TrimStart('#', ' ')) }
    exit 2
}
if ($args[0] -eq 'check') {
    'the kit is whole'
    exit 0
}
$list = @('install', '--self') + $args
if (-not ($args -like '--scope*')) { $list += @('--scope', 'user') }
foreach ($file in Get-ChildItem -LiteralPath $here -Filter '*.kddx' | Sort-Object Name) { $list += @('--index', $file.FullName) }
& (Join-Path $here 'kddq.cmd') @list
exit $LASTEXITCODE
