"use strict";

// The page of `mosslite serve`: sends what is dropped on it, starts a comparison, and shows how far
// it is. Whatever is not a single archive is packed into a tar file here, so that names of files
// are members of an archive to the server, and never paths.
{
  const POLL_EVERY = 400;
  const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const ARCHIVES = /\.(zip|jar|tar|tgz|tar\.gz|tbz2?|tar\.bz2|txz|tar\.xz|7z|mosslite)$/i;
  const root = new URL(".", location.href);
  const { byId, element } = tools;
  const locale = document.documentElement.lang;
  let uploading = 0;
  let hasStopped = false;
  let state = { uploads: {}, run: { state: "none" } };

  // ---- A tar file, of which the browser reads the files only as it sends them ----

  const BLOCK = 512;
  const encoder = new TextEncoder();

  function header(name, size, type) {
    const block = new Uint8Array(BLOCK);
    const put = (offset, text) => block.set(encoder.encode(text), offset);
    put(0, name);
    put(100, "0000644\0" + "0000000\0" + "0000000\0");
    put(124, `${size.toString(8).padStart(11, "0")}\0`);
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, type);
    put(257, "ustar\u000000");
    const sum = block.reduce((total, byte) => total + byte, 0);
    put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
    return block;
  }

  function padding(size) {
    return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
  }

  // A record says how long it is, its own length among the rest.
  function record(path) {
    const rest = encoder.encode(` path=${path}\n`).length;
    let length = rest + String(rest).length;
    length = rest + String(length).length;
    return encoder.encode(`${length} path=${path}\n`);
  }

  function member(name, type, content, size) {
    return [header(name, size, type), content, padding(size)];
  }

  function tar(files) {
    const parts = files.flatMap(({ path, file }) => {
      const extended = record(path);
      return [
        ...member("path", "x", extended, extended.length),
        ...member("file", "0", file, file.size),
      ];
    });
    return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
  }

  // ---- What was dropped or chosen ----

  async function filesIn(entry, before = "") {
    const path = before + entry.name;
    if (entry.isFile) {
      return [{ path, file: await new Promise((done, fail) => entry.file(done, fail)) }];
    }
    const files = [];
    const reader = entry.createReader();
    const read = () => new Promise((done, fail) => reader.readEntries(done, fail));
    // A reader gives some at a time, and none when there are no more.
    for (let some = await read(); some.length; some = await read()) {
      for (const each of some) {
        for (const file of await filesIn(each, `${path}/`)) {
          files.push(file);
        }
      }
    }
    return files;
  }

  async function dropped(transfer) {
    // All at once, as the list is empty as soon as anything is waited for.
    const items = [...transfer.items].filter((item) => item.kind === "file");
    const dropped = items.map((item) => [item.webkitGetAsEntry(), item.getAsFile()]);
    const lists = [];
    for (const [entry, file] of dropped) {
      lists.push(entry ? await filesIn(entry) : [{ path: file.name, file }]);
    }
    return lists.flat();
  }

  function chosen(input) {
    return [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  }

  // A folder alone is the batch; its name is that of the upload, not part of each path.
  function packed(files) {
    files.sort((one, other) => (one.path < other.path ? -1 : 1));
    const [first] = files;
    if (files.length === 1 && !first.path.includes("/") && ARCHIVES.test(first.path)) {
      return { name: first.path, body: first.file };
    }
    const top = first.path.slice(0, first.path.indexOf("/") + 1);
    const isFolder = top && files.every(({ path }) => path.startsWith(top));
    if (isFolder) {
      const below = files.map(({ path, file }) => ({ path: path.slice(top.length), file }));
      return { name: top.slice(0, -1), body: tar(below) };
    }
    const many = gettext("%(number)s files", { number: files.length });
    return { name: files.length === 1 ? first.path : many, body: tar(files) };
  }

  // ---- Talking to the server ----

  async function ask(path, options = {}) {
    const url = new URL(path, root);
    url.searchParams.set("locale", locale);
    const response = await fetch(url, options).catch(() => {
      throw new Error(gettext("mosslite does not answer: it may have been stopped"));
    });
    const content = await response.json();
    if (!response.ok) {
      throw new Error(content.error);
    }
    return content;
  }

  // Does what can fail, and shows why it did.
  async function attempt(work) {
    try {
      await work();
    } catch (error) {
      showError(error.message);
    }
  }

  async function upload(section, gather) {
    const status = section.querySelector(".drop-status");
    showError("");
    uploading += 1;
    status.textContent = gettext("Uploading...");
    refresh();
    await attempt(async () => {
      const files = await gather();
      if (!files.length) {
        throw new Error(gettext("nothing to upload: the folder holds no files"));
      }
      const { name, body } = packed(files);
      const path = `uploads/${section.dataset.role}?name=${encodeURIComponent(name)}`;
      const type = { "Content-Type": "application/octet-stream" };
      state = await ask(path, { method: "POST", headers: type, body });
      suggestTitle(section, name);
    });
    uploading -= 1;
    status.textContent = "";
    refresh();
  }

  function suggestTitle(section, name) {
    const title = byId("title");
    if (section.dataset.role === "submissions" && (!title.value || title.dataset.suggested)) {
      title.value = name.replace(ARCHIVES, "").slice(0, title.maxLength);
      title.dataset.suggested = "true";
    }
  }

  async function command(path, options) {
    showError("");
    await attempt(async () => (state = await ask(path, { method: "POST", ...options })));
    refresh();
  }

  function start() {
    const { title, language } = byId("job").elements;
    const boxes = document.querySelectorAll("input[name='archive']:checked");
    const archives = [...boxes].map((box) => Number(box.value));
    const body = JSON.stringify({ title: title.value, language: language.value, archives });
    return command("run", { headers: { "Content-Type": "application/json" }, body });
  }

  // ---- Showing what there is ----

  function showError(message) {
    byId("error").hidden = !message;
    byId("error").textContent = message && message[0].toUpperCase() + message.slice(1);
  }

  function inUnits(size) {
    const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), UNITS.length - 1);
    const amount = size / 1000 ** power;
    const unit = { style: "unit", unit: UNITS[power], maximumFractionDigits: amount < 10 ? 1 : 0 };
    return new Intl.NumberFormat(locale, unit).format(amount);
  }

  function showUpload(section) {
    const kept = state.uploads[section.dataset.role];
    section.classList.toggle("is-kept", Boolean(kept));
    section.querySelector(".drop-kept").hidden = !kept;
    section.querySelector(".drop-name").textContent = kept
      ? `${kept.name || gettext("upload")} (${inUnits(kept.size)})`
      : "";
  }

  function showRun(run) {
    const isRunning = run.state === "running";
    byId("run").hidden = !isRunning;
    if (isRunning) {
      byId("progress").value = run.share;
      const counts = { stage: run.stage, done: run.done, total: run.total };
      const step = gettext("%(stage)s: %(done)s of %(total)s", counts);
      const words = run.total > 1 ? step : run.stage;
      byId("stage").textContent = `${words[0].toUpperCase()}${words.slice(1)}`;
    }
    if (run.state === "failed") {
      showError(run.error);
    }
  }

  function showResult() {
    const wasHidden = byId("result").hidden;
    byId("result").hidden = !state.report;
    if (state.report && wasHidden) {
      byId("lines").replaceChildren();
      tools.addAll(byId("lines"), state.run.lines.map((line) => element("p", "", line)));
      byId("open").href = state.report;
      byId("review").textContent = state.review;
      byId("result-heading").focus();
      byId("result").scrollIntoView({ block: "nearest" }); // with the link to the report
    }
  }

  function refresh() {
    if (hasStopped) {
      return; // an answer that was on its way when the server was stopped
    }
    const isRunning = state.run.state === "running";
    document.querySelectorAll(".drop").forEach(showUpload);
    for (const field of byId("job").elements) {
      field.disabled = isRunning || uploading > 0;
    }
    byId("start").disabled ||= !state.uploads.submissions;
    showRun(state.run);
    showResult();
    if (isRunning) {
      setTimeout(poll, POLL_EVERY);
    }
  }

  async function poll() {
    let found = null;
    await attempt(async () => (found = await ask("state")));
    state = found ?? { ...state, run: { state: "none" } };
    refresh();
  }

  async function quit() {
    await ask("quit", { method: "POST" });
    hasStopped = true;
    const text = gettext("mosslite has stopped. You can close this page.");
    document.body.replaceChildren(element("p", "", text));
  }

  // ---- Start ----

  function setUpChoice(section, isFolder) {
    const kind = isFolder ? "folder" : "file";
    const label = `${section.dataset.role} ${kind}`;
    const input = element("input", { type: "file", hidden: "", "aria-label": label });
    input.multiple = !isFolder;
    input.webkitdirectory = isFolder;
    input.addEventListener("change", async () => {
      if (input.files.length) {
        await upload(section, async () => chosen(input));
      }
      input.value = "";
    });
    section.append(input);
    section.querySelector(`.choose-${kind}`).addEventListener("click", () => input.click());
  }

  function setUp(section) {
    setUpChoice(section, false);
    setUpChoice(section, true);
    section.addEventListener("dragover", () => section.classList.add("is-over"));
    section.addEventListener("dragleave", () => section.classList.remove("is-over"));
    section.addEventListener("drop", (event) => {
      section.classList.remove("is-over");
      if (state.run.state !== "running" && !uploading) {
        void upload(section, () => dropped(event.dataTransfer));
      }
    });
    section.querySelector(".drop-remove").addEventListener("click", () => {
      void command(`uploads/${section.dataset.role}`, { method: "DELETE" });
    });
  }

  document.querySelectorAll(".drop").forEach(setUp);
  for (const kind of ["dragover", "drop"]) {
    // Else the browser leaves the page for a file that is dropped beside a place for it.
    document.addEventListener(kind, (event) => event.preventDefault());
  }
  byId("title").addEventListener("input", () => delete byId("title").dataset.suggested);
  byId("job").addEventListener("submit", (event) => {
    event.preventDefault();
    void start();
  });
  byId("cancel").addEventListener("click", () => void command("cancel"));
  byId("quit").addEventListener("click", () => void attempt(quit));
  void poll();
}
