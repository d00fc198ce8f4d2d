package deploy

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// TestServe decodes the Deployment and its Service strictly, and checks what they promise: what is mounted is there,
// nothing runs as root or writes to its root, and the names that lead to one another are the same.
func TestServe(t *testing.T) {
	documents := bytes.Split(read(t, "serve.yaml"), []byte("\n---\n"))
	var d apps.Deployment
	var s core.Service
	if len(documents) != 2 {
		t.Fatalf("%d documents, want 2", len(documents))
	}
	if err := yaml.UnmarshalStrict(documents[0], &d); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(documents[1], &s); err != nil {
		t.Fatal(err)
	}
	pod := d.Spec.Template
	for key, value := range d.Spec.Selector.MatchLabels {
		if pod.Labels[key] != value || s.Spec.Selector[key] != value {
			t.Errorf("label %s is %q, want %q, in the service %q", key, pod.Labels[key], value, s.Spec.Selector[key])
		}
	}
	if c := pod.Spec.SecurityContext; !*c.RunAsNonRoot || *c.RunAsUser != 65532 || *c.FSGroup != 65532 {
		t.Errorf("the pod runs as %v", c)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = v.EmptyDir != nil
	}
	if len(pod.Spec.InitContainers) != 1 || len(pod.Spec.Containers) != 1 {
		t.Fatalf("%d and %d containers", len(pod.Spec.InitContainers), len(pod.Spec.Containers))
	}
	pull, serve := pod.Spec.InitContainers[0], pod.Spec.Containers[0]
	for _, c := range []core.Container{pull, serve} {
		if s := c.SecurityContext; s == nil || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || len(s.Capabilities.Drop) != 1 {
			t.Errorf("%s is not locked: %v", c.Name, s)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s mounts %q, which is no volume", c.Name, m.Name)
			}
		}
	}
	index := pull.Args[len(pull.Args)-1]
	if pull.Args[0] != "pull" || !strings.HasPrefix(pull.Args[1], "oci://") || !slices.Contains(serve.Args, index) {
		t.Errorf("%q is pulled, %q served", pull.Args, serve.Args)
	}
	host := serve.Args[slices.Index(serve.Args, "--allow-host")+1]
	for _, p := range []*core.Probe{serve.ReadinessProbe, serve.LivenessProbe} {
		if p.HTTPGet.HTTPHeaders[0].Value != host || host != s.Name || p.HTTPGet.Port.String() != serve.Ports[0].Name {
			t.Errorf("%v asks %q, allowed is %q", p.HTTPGet.Path, p.HTTPGet.HTTPHeaders[0].Value, host)
		}
	}
	if serve.Env[0].Name != "KDD_TOKEN" || serve.Env[0].ValueFrom.SecretKeyRef == nil {
		t.Errorf("the token comes of %v", serve.Env)
	}
}

// TestCompose checks that the file has what it promises.
func TestCompose(t *testing.T) {
	var c struct {
		Services map[string]struct {
			Image       string            `json:"image"`
			Command     []string          `json:"command"`
			Environment map[string]string `json:"environment"`
			Ports       []string          `json:"ports"`
			Volumes     []string          `json:"volumes"`
			ReadOnly    bool              `json:"read_only"`
			Tmpfs       []string          `json:"tmpfs"`
			CapDrop     []string          `json:"cap_drop"`
			Security    []string          `json:"security_opt"`
		} `json:"services"`
	}
	if err := yaml.UnmarshalStrict(read(t, "compose.yaml"), &c); err != nil {
		t.Fatal(err)
	}
	s := c.Services["kdd"]
	if len(c.Services) != 1 || !s.ReadOnly || len(s.CapDrop) != 1 || !strings.HasPrefix(s.Ports[0], "127.0.0.1:") ||
		!strings.HasSuffix(s.Volumes[0], ":ro") || s.Environment["KDD_TOKEN"] == "" || !slices.Contains(s.Command, "serve") {
		t.Errorf("the service is %+v", s)
	}
}
