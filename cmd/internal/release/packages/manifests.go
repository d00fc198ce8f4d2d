package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"text/template"
)

// The scripts that install a release, without its version and address.
var (
	//go:embed install.sh
	shell string
	//go:embed install.ps1
	powershell string
	//go:embed cask.rb.tmpl
	caskText string
)

// address is what may stand in scripts and manifests without being quoted: nothing in it means anything to a shell.
var address = regexp.MustCompile(`^https://[A-Za-z0-9][-A-Za-z0-9._~/:@+]*$`)

// scripts writes those that install a release.
func (r *release) scripts() error {
	if r.base != "" && !address.MatchString(r.base) {
		return fmt.Errorf("-base %q, want https://HOST/PATH of plain characters", r.base)
	}
	fill := strings.NewReplacer("@VERSION@", r.version, "@BASE@", r.base)
	if err := r.text("install.sh", fill.Replace(shell)); err != nil {
		return err
	}
	// Windows PowerShell 5 and some editors want CRLF.
	return r.text("install.ps1", strings.ReplaceAll(fill.Replace(powershell), "\n", "\r\n"))
}

// manifests writes what Homebrew and Scoop install from. Both are nothing without an address.
func (r *release) manifests() error {
	if r.base == "" {
		return nil
	}
	for _, program := range programs {
		archives := map[string]string{} // sha256 by platform
		for _, b := range r.of(program) {
			archives[b.os+"_"+b.arch] = r.sums[r.archiveName(b)]
		}
		if len(archives) < len(platforms) {
			return fmt.Errorf("%s has builds for %d platforms, want %d for its manifests", program, len(archives),
				len(platforms))
		}
		var cask bytes.Buffer
		fields := map[string]any{"Program": program, "Version": r.version, "Base": r.base, "About": about[program],
			"Sums": archives}
		if err := template.Must(template.New("cask").Parse(caskText)).Execute(&cask, fields); err != nil {
			return err
		}
		if err := r.text(program+".rb", cask.String()); err != nil {
			return err
		}
		scoop, err := json.MarshalIndent(scoopManifest{
			Version: r.version, Description: about[program], Homepage: r.base, License: "Apache-2.0", Bin: program + ".exe",
			Architecture: map[string]scoopArchive{
				"64bit": {r.base + "/" + program + "-" + r.version + "-windows-amd64.zip", archives["windows_amd64"]},
				"arm64": {r.base + "/" + program + "-" + r.version + "-windows-arm64.zip", archives["windows_arm64"]},
			},
		}, "", "    ")
		if err != nil {
			return err
		}
		if err := r.text(program+".json", string(scoop)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// scoopManifest is an app of a bucket of Scoop.
type scoopManifest struct {
	Version      string                  `json:"version"`
	Description  string                  `json:"description"`
	Homepage     string                  `json:"homepage"`
	License      string                  `json:"license"`
	Architecture map[string]scoopArchive `json:"architecture"`
	Bin          string                  `json:"bin"`
}

type scoopArchive struct {
	URL  string `json:"url"`
	Hash string `json:"hash"`
}
