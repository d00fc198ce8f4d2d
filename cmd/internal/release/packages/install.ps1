# Installs kddq, or kdd, of the release @VERSION@ for one user on Windows: downloads the archive and its checksums,
# compares, and unpacks nothing that differs.
#
#   install.ps1 [-Program kddq,kdd] [-From ADDRESS] [-To FOLDER] [-Key KEY]
#
# -From  the folder of the release: an https:// address or a folder here (or KDD_BASE; default "@BASE@")
# -To    where programs go (or KDD_INSTALL_DIR; default %LOCALAPPDATA%\Programs\kdd)
# -Key   a minisign public key, or its file: SHA256SUMS has to be signed with it (or KDD_RELEASE_KEY; needs minisign)
[CmdletBinding()]
param(
    [ValidateSet('kddq', 'kdd')][string[]]$Program = @('kddq'),
    [string]$From = $env:KDD_BASE,
    [string]$To = $env:KDD_INSTALL_DIR,
    [string]$Key = $env:KDD_RELEASE_KEY
)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$version = '@VERSION@'
if (-not $From) { $From = '@BASE@' }
if (-not $From) { throw 'install: no address: name the folder of the release with -From or KDD_BASE' }
$From = $From.TrimEnd('/')
$remote = $From -match '^https://|^http://(127\.0\.0\.1|localhost)[:/]'
if (-not $remote -and -not (Test-Path -PathType Container $From)) {
    throw "install: ${From}: want an https address or a folder"
}
if (-not $To) { $To = Join-Path $env:LOCALAPPDATA 'Programs\kdd' }
# A program for x64 on Arm has the machine's processor in the second variable.
$processor = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
$arch = switch ($processor) {
    'AMD64' { 'amd64' }
    'ARM64' { 'arm64' }
    default { throw "install: no build for $processor" }
}
$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory -Path $work | Out-Null

function Get-Part([string]$Name) {
    $target = Join-Path $work $Name
    if ($remote) { Invoke-WebRequest -UseBasicParsing -Uri "$From/$Name" -OutFile $target }
    else { Copy-Item (Join-Path $From $Name) $target }
    $target
}

try {
    $sums = Get-Part 'SHA256SUMS'
    if ($Key) {
        Get-Part 'SHA256SUMS.minisig' | Out-Null
        $option = if (Test-Path -PathType Leaf $Key) { '-p' } else { '-P' }
        & minisign -Vqm $sums $option $Key
        if ($LASTEXITCODE -ne 0) { throw 'install: SHA256SUMS is not signed with that key; nothing was installed' }
    }
    $archives = foreach ($name in $Program) {
        $file = "$name-$version-windows-$arch.zip"
        $line = Get-Content $sums | Where-Object { ($_ -split '\s+\*?', 2)[1] -eq $file }
        if (-not $line) { throw "install: SHA256SUMS does not list $file; nothing was installed" }
        $want = ($line -split '\s+')[0]
        $path = Get-Part $file
        $got = (Get-FileHash -Algorithm SHA256 $path).Hash
        if ($got -ne $want) { throw "install: ${file}: sha256 $got, want $want; nothing was installed" }
        $path
    }
    # All of it is as it should be: only now is anything unpacked.
    New-Item -ItemType Directory -Force -Path $To | Out-Null
    foreach ($path in $archives) {
        $folder = "$path.unpacked"
        Expand-Archive -Path $path -DestinationPath $folder
        Get-ChildItem (Join-Path $folder '*.exe') | ForEach-Object {
            Copy-Item -Force $_.FullName (Join-Path $To $_.Name)
            Write-Host "install: $($_.BaseName) $version is in $To"
        }
    }
}
finally { Remove-Item -Recurse -Force $work }
if (($env:PATH -split ';') -notcontains $To) {
    Write-Host "install: $To is not on PATH; add it in the settings of your account's environment variables"
}
