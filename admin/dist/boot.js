// Runs before the first paint and before the scripts of the page are there. A file of its own, so that
// no inline script has to be allowed; `preload.ts` puts in what each screen needs.
(function () {
  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be forbidden; the system's scheme and the browser's language will do.
      return null;
    }
  }

  var scheme = stored('recto.colour-scheme') || 'auto';
  var dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  var base = document.querySelector('meta[name="recto-base"]').content;
  var path = location.pathname.slice(base.length);

  // What the screen asks the server; `api/early.ts` hands the answers on. Before the files, since
  // browsers have few connections.
  var early = (window.rectoEarly = {});
  function ask(address, headers) {
    early[address] = fetch(base + address, { headers: headers });
    // Whoever takes the answer deals with what went wrong.
    early[address].catch(function () {});
  }
  var place = /^\/admin\/w\/([^/]+)(?:\/content\/([^/]+)\/([^/~]+)\/?$)?/.exec(path);
  var headers = place ? { 'X-Service-Workspace': place[1] } : {};
  ask('/admin/api/me', {});
  if (place) {
    ask('/admin/api/content-types', headers);
    ask('/admin/api/changes/pending', headers);
  }
  if (place && place[2] && !/[?&]change=/.test(location.search)) {
    early['/admin/api/content-types']
      .then(function (answer) { return answer.clone().json(); })
      .then(function (types) {
        var type = types.data.find(function (it) { return it.name === place[2]; });
        var locale = type.root_locale ? '?locale=' + type.root_locale : '';
        ask('/admin/api/content/' + type.name + '/' + place[3] + locale, headers);
      })
      .catch(function () {});
  }

  // The files of the screen at this address, and its texts: they would be asked for when the page's
  // own script has run.
  var here = document.currentScript.src.replace(/[^/]*$/, '');
  var screen = [{"path":"^/admin/(w/[^/]+/?)?$","files":["assets/LANGUAGE.first.js","assets/Dashboard.js","assets/Dashboard.css"]},{"path":"^/admin/w/[^/]+/content/[^/]+/?$","files":["assets/LANGUAGE.first.js","assets/LANGUAGE.writing.js","assets/List.js","assets/shared.js","assets/form.js","assets/fields.js","assets/overlays.js","assets/login.js","assets/fields.css","assets/form.css","assets/login.css","assets/overlays.css","assets/shared.css"]},{"path":"^/admin/w/[^/]+/content/[^/]+/[^/]+/?$","files":["assets/LANGUAGE.first.js","assets/LANGUAGE.writing.js","assets/Editor.js","assets/form.js","assets/form.css","assets/rich.js","assets/fields.js","assets/fields.css"]},{"path":"^/admin/w/[^/]+/media/?$","files":["assets/LANGUAGE.first.js","assets/LANGUAGE.writing.js","assets/Media.js","assets/fields.js","assets/shared.js","assets/overlays.js","assets/form.js","assets/login.js","assets/Media.css","assets/fields.css","assets/form.css","assets/login.css","assets/overlays.css","assets/shared.css"]}].find(function (it) {
    return new RegExp(it.path).test(path);
  });
  var languages = ["de","en","fr"];
  var language = [stored('recto.language')]
    .concat(navigator.languages.map(function (it) { return it.slice(0, 2); }), 'en')
    .find(function (it) { return languages.indexOf(it) >= 0; });
  (screen ? screen.files : ['assets/LANGUAGE.first.js']).forEach(function (file) {
    var link = document.createElement('link');
    var isStyle = file.endsWith('css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = here + file.replace('LANGUAGE', language);
    document.head.appendChild(link);
  });
})();
