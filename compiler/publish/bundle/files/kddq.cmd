@echo off
rem Starts the kddq of this kit that is made for this machine.
setlocal
set "arch=amd64"
if /i "%PROCESSOR_ARCHITECTURE%"=="ARM64" if exist "%~dp0bin\windows-arm64\kddq.exe" set "arch=arm64"
if not exist "%~dp0bin\windows-%arch%\kddq.exe" (
  echo kddq: this kit has no program for windows/%arch% 1>&2
  exit /b 1
)
"%~dp0bin\windows-%arch%\kddq.exe" %*
