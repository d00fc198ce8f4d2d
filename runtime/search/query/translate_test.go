package query

import (
	"strings"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/format/text"
)

// TestTranslate: a query in another language than most documents is read in theirs, word by word.
func TestTranslate(t *testing.T) {
	english := map[string]string{
		"a.md": "# Deleting files\n\nDelete a file or erase a folder; the cache is cleared when useState.reset runs before the deadline.\n",
		"b.md": "# Ports\n\nThe server listens to a port. How to change the state of a component, and what it costs.\n",
	}
	spanish := map[string]string{
		"es1.md": "# Borrar archivos\n\nEl archivo se borra cuando la carpeta está vacía; después se borra la caché del servidor.\n",
		"es2.md": "# Puertos\n\nEl servidor escucha en un puerto hasta que se cierra la conexión con la base de datos.\n",
	}
	chinese := map[string]string{"zh.md": "# 删除文件\n\n如果有数据的目录是空的，就可以删除文件。然后清除缓存，并重新启动服务器。\n"}
	japanese := map[string]string{"ja.md": "# サーバーの再起動\n\nデータベースを止めてから、サーバーを再起動します。ファイルは削除されません。\n"}
	korean := map[string]string{"ko.md": "# 서버 재시작\n\n데이터베이스를 멈춘 다음 서버를 재시작합니다. 파일은 삭제되지 않습니다.\n"}
	mostly := map[string]string{"a.md": english["a.md"]}
	for name, text := range spanish {
		mostly[name] = text
	}
	mixed := map[string]string{"c.md": "# Carpeta\n\nLa carpeta se borra antes que los archivos, porque no se puede borrar después.\n"}
	for name, text := range english {
		mixed[name] = text
	}
	tests := []struct {
		name, text string
		docs       map[string]string
		into       text.Lang
		read       string
	}{
		{"Spanish", "cómo se borran los archivos de la caché", english, "en", "delete file cache"},
		{"what the glossary lacks stays", "¿cómo borro el gizmo de la caché?", english, "en", "delete gizmo cache"},
		{"an identifier stays", "cómo borrar useState.reset en la carpeta", english, "en", "delete useState.reset folder"},
		{"the first translation that the documents have", "vaciar la carpeta y la caché", english, "en", "clear folder cache"},
		{"a phrase", "cómo se borran las bases de datos del servidor", map[string]string{"a.md": "# Data\n\nDelete a database of the server, or its base data.\n"}, "en", "delete database server"},
		{"a phrase that the documents do not have", "cómo se borra la base de datos", map[string]string{"a.md": "# Data\n\nDelete what is based on the data here.\n"}, "en", "delete base data"},
		{"German", "wie lösche ich die Dateien", english, "en", "delete file"},
		{"French", "comment supprimer les fichiers du serveur", english, "en", "delete file server"},
		{"German, an adjective beside the noun with an umlaut", "wie lange warten", map[string]string{"a.md": "# Waiting\n\nWait as long as the length of the list.\n"}, "en", "long wait"},
		{"Portuguese of words that English has too", "apagar a pasta", english, "en", "delete folder"},
		{"Portuguese with a word that English has too", "apagar arquivo do component", english, "en", "delete file component"},
		{"a verb and a name", "como funciona fileCache", map[string]string{"a.md": "# fileCache\n\nHow fileCache works, and Lake Como.\n"}, "en", "work fileCache"},
		{"a stop word that the documents have", "cuando usar fileCache", map[string]string{"a.md": "# fileCache\n\nUse fileCache where files are read more than once. Cuando is a name of it.\n"}, "en", "use fileCache"},
		{"English words that no document has", "a login, or do a logout", english, "", ""},
		{"Portuguese", "como eu apago os arquivos da pasta?", english, "en", "delete file folder"},
		{"Chinese", "如何删除文件", english, "en", "how delete file"},
		{"Chinese, an unknown character between", "把文件删除", english, "en", "file delete"},
		{"Japanese", "ファイルを削除する", english, "en", "file delete"},
		{"Korean", "파일을 삭제하려면", english, "en", "file delete"},
		{"two words", "borrar archivo", english, "en", "delete file"},
		{"English of Spanish documents", "how do I delete the files of a folder", spanish, "es", "borrar archivo carpeta"},
		{"two words of Spanish documents", "delete folder", spanish, "es", "borrar carpeta"},
		{"the language of the documents", "how do I delete the files", english, "", ""},
		{"most documents are in another", "cómo se borra la carpeta", mixed, "en", "delete folder"},
		{"most documents are in its own", "how do I delete the files of a folder", mixed, "", ""},
		{"German of Spanish documents", "wie lösche ich die Dateien", spanish, "es", "borrar archivo"},
		{"French of Spanish documents", "comment supprimer les fichiers du serveur", spanish, "es", "borrar archivo servidor"},
		{"Portuguese of Spanish documents", "não consigo apagar os arquivos da pasta", spanish, "es", "consigo borrar archivo carpeta"},
		{"Chinese of Spanish documents", "如何删除文件", spanish, "es", "borrar archivo"},
		{"Japanese of Spanish documents", "ファイルを削除する", spanish, "es", "archivo borrar"},
		{"Korean of Spanish documents", "서버 파일을 삭제하려면", spanish, "es", "servidor archivo borrar"},
		{"two German words of Spanish documents", "Datei löschen", spanish, "es", "archivo borrar"},
		{"a phrase through English", "supprimer le mot de passe du serveur", map[string]string{"a.md": "# Servidor\n\nLa contraseña del servidor se borra cuando ya no hace falta, y después no se puede leer.\n"}, "es", "borrar contraseña servidor"},
		{"an identifier stays on the way through English", "wie lösche ich git.gc in dem Ordner", map[string]string{"a.md": "# Carpeta\n\nLa carpeta se borra con git.gc cuando está vacía, y después no se puede leer.\n"}, "es", "borrar git.gc carpeta"},
		{"Spanish of Chinese documents", "cómo se borran los archivos de la carpeta", chinese, "zh", "删除 文件 目录"},
		{"French of Chinese documents", "comment supprimer les fichiers du serveur", chinese, "zh", "删除 文件 服务器"},
		{"English of Chinese documents", "restart the server with a configuration file", chinese, "zh", "重新启动 服务器 configuration 文件"},
		{"English of Japanese documents", "restart the server and the database", japanese, "ja", "再起動 サーバ データベース"},
		{"English of Korean documents", "restart the server and the database", korean, "ko", "재시작 서버 데이터베이스"},
		{"a word of which they have some pairs", "delete the database file", chinese, "zh", "删除 database 文件"},
		{"Japanese of Chinese documents", "ファイルを削除する", chinese, "zh", "文件 删除"},
		{"the language of most documents, though English is nearer", "如何删除文件", mostly, "es", "borrar archivo"},
		{"an English word of Spanish documents", "Wie wird die Frist berechnet", map[string]string{"a.md": "# Deadline\n\nEl deadline se calcula cuando llega la petición, y después no se cambia.\n"}, "es", "deadline calcular"},
		{"a word that is spelt as in English", "que fait l'agent avec les documents", map[string]string{"a.md": "# Agentes\n\nEl agente lee los documentos que hay en la carpeta y después los borra.\n"}, "es", "agente documento"},
		{"words that Portuguese has too, of Spanish documents", "¿qué se borra en el servidor cuando se acaba el espacio?", spanish, "", ""},
		{"words of Spanish documents' own language that they lack", "impresora administrador", spanish, "", ""},
		{"no word of it has a translation", "cómo es el gizmo de la wombat", english, "", ""},
		{"a language without a glossary", "miten poistan tiedoston kansiosta", english, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := []*index.Index{corpustest.Index(t, test.docs)}
			q := Read(x, test.text, Options{})[0]
			if q.Into != test.into || q.Translated != test.read {
				t.Errorf("%q (%s) is read in %q as %q, want %q as %q", test.text, q.Language, q.Into, q.Translated, test.into, test.read)
			}
			note := strings.Contains(strings.Join(q.Notes, "; "), "read in the language of the documents too: \""+test.read+"\"")
			if note != (test.into != "") {
				t.Errorf("%q has the notes %q", test.text, q.Notes)
			}
			if typed := Read(x, test.text, Options{AsTyped: true})[0]; typed.Into != "" || len(typed.Notes) > 0 {
				t.Errorf("%q as typed is read as %q: %q", test.text, typed.Translated, typed.Notes)
			}
		})
	}
}

// TestShortQuestions: a question that is a name and stop words is in their language, unless they are words of the
// documents' language too.
func TestShortQuestions(t *testing.T) {
	x := []*index.Index{corpustest.Index(t, map[string]string{"a.md": "# useState\n\nThe es locale of useState is what it was, and a die is cast.\n"})}
	for text, want := range map[string]text.Lang{
		"qué es useState":        "es",
		"useState":               "en",
		"die cast":               "en",
		"was die useState":       "",
		"what die does useState": "en",
		"que gizmo useState":     "en",
	} {
		if got := Read(x, text, Options{})[0].Language; got != want {
			t.Errorf("%q is in %q, want %q", text, got, want)
		}
	}
}

// TestTranslateWords: all translations that the documents have are terms of a word, counted together, and no filter
// changes that.
func TestTranslateWords(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# Deleting\n\nDelete what you do not need, or remove it.\n",
		"b.md": "# Removing\n\nRemove the rest of it.\n",
		"c.md": "# Erasing\n\nWe erase nothing here, and the other things stay as they are.\n",
	})
	for _, asked := range [][]text.Lang{nil, {"en"}, {"es"}} {
		q := Read([]*index.Index{x}, "¿cómo puedo borrarlo todo?", Options{Asked: asked})[0]
		i := 0
		for i < len(q.Words) && q.Words[i].Text != "borrarlo" {
			i++
		}
		if i == len(q.Words) {
			t.Fatalf("words %v", q.Words)
		}
		w := q.Words[i]
		if w.Means == "" || len(w.Terms) < 3 || w.DF < 3 {
			t.Errorf("asked for %v: %q means %q, has %d terms in %d chunks, want those of delete, remove and erase", asked, w.Text, w.Means, len(w.Terms), w.DF)
		}
	}
}

// TestTranslateThrough: what a word that went through English stands for is the sense that most chunks have, and all
// senses that the documents have count as its most frequent one does.
func TestTranslateThrough(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# Borrar\n\nEl archivo se borra cuando nadie lo lee.\n",
		"b.md": "# Eliminar\n\nSe puede eliminar la carpeta, y después eliminar el resto.\n",
		"c.md": "# Otra vez\n\nEliminar una línea no es lo mismo que eliminar un archivo.\n",
		"d.md": "# Al final\n\nHay que eliminar lo que sobra, y después se cierra la conexión.\n",
	})
	q := Read([]*index.Index{x}, "wie kann ich das löschen", Options{})[0]
	w := q.Words[len(q.Words)-1]
	if w.Text != "loschen" || w.Means != "eliminar" || len(w.Terms) < 2 || w.DF != 3 {
		t.Errorf("%q means %q, has %d terms in %d chunks, want eliminar, several in 3", w.Text, w.Means, len(w.Terms), w.DF)
	}
}
