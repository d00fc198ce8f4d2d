package clients

import "testing"

func TestRow(t *testing.T) {
	printed := "cold\t9.5\t2.5\nwarm\t3\t1\nwarm\t5\t1\nwarm\t4\t1\n"
	got, err := row("stdio", "warm", printed)
	if want := "| stdio | warm | 3 | 4.00 / 5.00 | 1.00 / 1.00 | 3.00 / 4.00 |\n"; err != nil || got != want {
		t.Errorf("row = %q, %v, want %q", got, err, want)
	}
	if _, err := row("stdio", "cold", "Traceback\n"); err == nil {
		t.Error("row of what is no measurement: no error")
	}
}
