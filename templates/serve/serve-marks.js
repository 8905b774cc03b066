
// Keeps the marks of a report that `mosslite serve` shows: in place of the browser's storage, they
// are sent to the server, which writes them to the user's review file.

const servedStorage = (() => {
  const KEPT = gettext("Saved in your review file.");
  const RETRY_AFTER = 2000;
  const root = new URL(".", document.currentScript.src);
  const address = new URL("marks", root);
  let text = JSON.stringify(REVIEW.marks);
  let sent = new Set(REVIEW.marks.map((mark) => JSON.stringify(mark)));
  let waiting = new Map();
  let isSending = false;
  let isLost = false;

  function keyOf({ left, right }) {
    return [left, right].sort().join("\n");
  }

  function getItem() {
    return text;
  }

  function setItem(_name, marks) {
    text = marks;
    for (const mark of JSON.parse(marks)) {
      if (!sent.has(JSON.stringify(mark))) {
        waiting.set(keyOf(mark), mark);
      }
    }
    void send();
    if (isLost) {
      throw new Error("unreachable");
    }
  }

  async function send() {
    if (isSending || !waiting.size) {
      return;
    }
    isSending = true;
    const marks = [...waiting.values()];
    waiting = new Map();
    try {
      await post(marks);
      showLoss("");
    } catch (error) {
      for (const mark of marks) {
        waiting.set(keyOf(mark), waiting.get(keyOf(mark)) ?? mark);
      }
      showLoss(error.message);
      setTimeout(send, RETRY_AFTER);
    }
    isSending = false;
    if (!isLost) {
      void send();
    }
  }

  async function post(marks) {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ format: 1, marks }),
      keepalive: true, // a page may be left right after a mark was made
    }).catch(() => {
      throw new Error(
        gettext("mosslite does not answer: it was stopped, or has begun another comparison"),
      );
    });
    if (!response.ok) {
      throw new Error((await response.json().catch(() => ({}))).error ?? gettext("mosslite refused them"));
    }
    for (const mark of marks) {
      sent.add(JSON.stringify(mark));
    }
  }

  function showLoss(why) {
    isLost = Boolean(why);
    tools.byId("marks-lost")?.remove();
    if (isLost) {
      const text = gettext(
        "Marks are not being kept: %(why)s. Save the review to a file.",
        { why },
      );
      const look = { id: "marks-lost", class: "review-tools", role: "alert" };
      document.body.prepend(tools.element("p", look, text));
    }
  }

  // Another tab may have made marks, and so may the page before the way back here.
  async function fetchMarks() {
    try {
      const content = await (await fetch(address)).json();
      if (!waiting.size && !isSending) {
        text = JSON.stringify(content.marks);
        sent = new Set(content.marks.map((mark) => JSON.stringify(mark)));
        window.dispatchEvent(new Event("storage"));
      }
    } catch {
      // The next mark that is made says so.
    }
  }

  window.addEventListener("pageshow", (event) => event.persisted && fetchMarks());
  document.addEventListener("visibilitychange", () => document.hidden || fetchMarks());
  return { KEPT, getItem, setItem };
})();
