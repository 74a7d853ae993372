; The installer for Windows, made by packaging/windows.py: for one user, without an administrator's rights.
; The user's threads, settings and keys are elsewhere (%LOCALAPPDATA%\plimsoll, the Credential Manager) and stay.
Target amd64-unicode
ManifestDPIAware true
!include MUI2.nsh
!include FileFunc.nsh
Name "Plimsoll"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Plimsoll"
InstallDirRegKey HKCU "Software\Plimsoll" "Folder"
SetCompressor /SOLID lzma
!define MUI_ICON "${PAYLOAD}\plimsoll.ico"
!define MUI_UNICON "${PAYLOAD}\plimsoll.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\plimsollw.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SimpChinese"
!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Plimsoll"
LangString OPEN ${LANG_ENGLISH} "Plimsoll is open. Close it, then try again."
LangString OPEN ${LANG_GERMAN} "Plimsoll ist geöffnet. Schließen Sie es und versuchen Sie es erneut."
LangString OPEN ${LANG_SIMPCHINESE} "Plimsoll 正在运行。请关闭后重试。"

; A library that is loaded can't be removed: then nothing is touched, and a silent run ends with status 2.
!macro REQUIRE_CLOSED
  IfFileExists "$INSTDIR\python\python${PYTHON}.dll" 0 +5
  ClearErrors
  Delete "$INSTDIR\python\python${PYTHON}.dll"
  IfErrors 0 +2
  Call ${UN}refuse
!macroend
!macro REFUSE UN
Function ${UN}refuse
  SetErrorLevel 2
  MessageBox MB_OK|MB_ICONEXCLAMATION "$(OPEN)" /SD IDOK
  Abort
FunctionEnd
!macroend
!insertmacro REFUSE ""
!insertmacro REFUSE "un."

; Only folders that an installation made: the user may have chosen one that holds other things.
!macro REMOVE
  RMDir /r "$INSTDIR\python"
  RMDir /r "$INSTDIR\licenses"
  Delete "$INSTDIR\plimsoll.exe"
  Delete "$INSTDIR\plimsollw.exe"
  Delete "$INSTDIR\plimsoll.ico"
!macroend

Section
  !define UN ""
  !insertmacro REQUIRE_CLOSED
  !undef UN
  !insertmacro REMOVE
  SetOutPath "$INSTDIR"
  File /r "${PAYLOAD}\*.*"
  ; else the first start does it, and the processes that read files do it each time; the largest have most modules that
  ; nobody imports
  nsExec::Exec '"$INSTDIR\python\python.exe" -m compileall -q -x "anthropic|openai|opentelemetry|pygments|sqlalchemy" "$INSTDIR\python\site-packages"'
  Pop $0
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Plimsoll.lnk" "$INSTDIR\plimsollw.exe" "" "$INSTDIR\plimsoll.ico"
  WriteRegStr HKCU "Software\Plimsoll" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${ENTRY}" "DisplayName" "Plimsoll"
  WriteRegStr HKCU "${ENTRY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${ENTRY}" "DisplayIcon" "$INSTDIR\plimsoll.ico"
  WriteRegStr HKCU "${ENTRY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${ENTRY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${ENTRY}" "NoModify" 1
  WriteRegDWORD HKCU "${ENTRY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${ENTRY}" "EstimatedSize" "$0"
SectionEnd

Section "Uninstall"
  !define UN "un."
  !insertmacro REQUIRE_CLOSED
  !insertmacro REMOVE
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Plimsoll.lnk"
  DeleteRegKey HKCU "${ENTRY}"
  DeleteRegKey HKCU "Software\Plimsoll"
SectionEnd
