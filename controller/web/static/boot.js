/** Before the page's own scripts, in words that older browsers know: fetches those where this one can show the page, and says
 * where it is too old or where not all of them came. */
(function () {
  var LATE = 10000; // ms
  var words = JSON.parse(document.getElementById("words").textContent);
  var boot = document.querySelector(".boot");

  function missed() {
    var button = document.createElement("button");
    button.textContent = words["page.reload"];
    button.onclick = function () { location.reload(); };
    boot.textContent = words["page.not_all"] + " ";
    boot.appendChild(button);
  }

  if (!Array.prototype.findLastIndex) {
    boot.textContent = words["page.old"];
    return;
  }
  var late = setTimeout(missed, LATE);
  var script = document.createElement("script");
  script.type = "module";
  script.src = "static/" + document.documentElement.getAttribute("data-page");
  script.onload = function () { clearTimeout(late); };
  script.onerror = function () { clearTimeout(late); missed(); };
  document.body.appendChild(script);
})();
