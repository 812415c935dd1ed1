; WordPad as the oracle of "Automated Test Oracles for GUIs" (Memon, Pollack and Soffa, 2000) models it:
; the properties of its table 1, the operators of its section 5, and the windows around them.
;
; A window that is open has drafts of its settings; OK makes them the settings, Cancel takes them back.
; While a window is closed, its drafts are its settings.

(define (domain wordpad)
  (:requirements :adl)
  (:types
    window menu bar control group text file directory - object
    option choice - control
    font style size - choice)
  (:constants
    w-new w-open w-save-as w-replace-file w-find w-font - window
    m-file m-edit m-view - menu)
  (:predicates
    ; What never changes.
    (listed ?m - menu ?w - window)             ; a command of the menu opens the window
    (nested ?outer ?w - window)                ; a button of the outer window opens the window
    (in-window ?c - control ?w - window)
    (choice-of ?c - choice ?g - group)
    (inserts ?c - choice ?t - text)
    (plain ?w - window)                        ; OK does nothing but to keep the settings
    (has-cancel ?w - window)
    (shows-files ?w - window)
    (is-root ?d - directory)
    (contains ?parent ?d - directory)

    ; Windows and menus.
    (free)                                     ; nothing is in front of the document
    (menu-open ?m - menu)
    (is-open ?w - window)
    (on-top ?w - window)
    (draft ?c - control)
    (set ?c - control)
    (shown ?b - bar)

    ; Files: table 1 of the paper.
    (in ?f - file ?t - text)
    (contains-file ?d - directory ?f - file)
    (current-file ?f - file)
    (is-current ?d - directory)
    (selected-file ?f - file)
    (file-name ?f - file)
    (can-go-up) (can-open) (can-save)

    ; Texts: table 1 of the paper.
    (current-font ?f - font ?s - style ?z - size)
    (font-of ?t - text ?f - font ?s - style ?z - size)
    (on-screen ?t - text)
    (selected-text ?t - text)
    (clipboard ?t - text)
    (find-what ?t - text))

  ; --- Menus

  (:action open-menu
    :parameters (?m - menu)
    :precondition (free)
    :effect (and (not (free)) (menu-open ?m)))

  (:action switch-menu
    :parameters (?from ?to - menu)
    :precondition (and (menu-open ?from) (not (= ?from ?to)))
    :effect (and (not (menu-open ?from)) (menu-open ?to)))

  (:action close-menu
    :parameters (?m - menu)
    :precondition (menu-open ?m)
    :effect (and (not (menu-open ?m)) (free)))

  (:action hide-bar
    :parameters (?b - bar)
    :precondition (and (menu-open m-view) (shown ?b))
    :effect (and (not (menu-open m-view)) (free) (not (shown ?b))))

  (:action show-bar
    :parameters (?b - bar)
    :precondition (and (menu-open m-view) (not (shown ?b)))
    :effect (and (not (menu-open m-view)) (free) (shown ?b)))

  ; --- Windows

  (:action open-window
    :parameters (?m - menu ?w - window)
    :precondition (and (menu-open ?m) (listed ?m ?w))
    :effect (and (not (menu-open ?m)) (is-open ?w) (on-top ?w)))

  (:action open-nested
    :parameters (?outer ?w - window)
    :precondition (and (on-top ?outer) (nested ?outer ?w) (not (= ?w w-replace-file)))
    :effect (and (not (on-top ?outer)) (is-open ?w) (on-top ?w)))

  (:action tick
    :parameters (?w - window ?o - option)
    :precondition (and (on-top ?w) (in-window ?o ?w) (not (draft ?o)))
    :effect (draft ?o))

  (:action untick
    :parameters (?w - window ?o - option)
    :precondition (and (on-top ?w) (in-window ?o ?w) (draft ?o))
    :effect (not (draft ?o)))

  (:action pick
    :parameters (?w - window ?g - group ?c - choice)
    :precondition (and (on-top ?w) (in-window ?c ?w) (choice-of ?c ?g) (not (draft ?c)))
    :effect (and
      (forall (?other - choice) (when (choice-of ?other ?g) (not (draft ?other))))
      (draft ?c)))

  (:action confirm
    :parameters (?w - window)
    :precondition (and (on-top ?w) (plain ?w))
    :effect (and
      (not (on-top ?w)) (not (is-open ?w))
      (forall (?m - menu) (when (listed ?m ?w) (free)))
      (forall (?outer - window) (when (nested ?outer ?w) (on-top ?outer)))
      (forall (?c - control) (when (and (in-window ?c ?w) (draft ?c)) (set ?c)))
      (forall (?c - control) (when (and (in-window ?c ?w) (not (draft ?c))) (not (set ?c))))))

  (:action dismiss
    :parameters (?w - window)
    :precondition (and (on-top ?w) (has-cancel ?w))
    :effect (and
      (not (on-top ?w)) (not (is-open ?w))
      (forall (?m - menu) (when (listed ?m ?w) (free)))
      (forall (?outer - window) (when (nested ?outer ?w) (on-top ?outer)))
      (forall (?c - control) (when (and (in-window ?c ?w) (set ?c)) (draft ?c)))
      (forall (?c - control) (when (and (in-window ?c ?w) (not (set ?c))) (not (draft ?c))))
      (when (shows-files ?w) (and (not (can-open)) (not (can-save))))
      (forall (?f - file) (when (shows-files ?w) (and (not (selected-file ?f)) (not (file-name ?f)))))))

  ; --- Files

  (:action enter-directory
    :parameters (?w - window ?from ?to - directory)
    :precondition (and (on-top ?w) (shows-files ?w) (is-current ?from) (contains ?from ?to))
    :effect (and
      (not (is-current ?from)) (is-current ?to) (can-go-up)
      (forall (?f - file) (not (selected-file ?f))) (not (can-open))))

  (:action go-up
    :parameters (?w - window ?from ?to - directory)
    :precondition (and (on-top ?w) (shows-files ?w) (is-current ?from) (contains ?to ?from))
    :effect (and
      (not (is-current ?from)) (is-current ?to)
      (when (is-root ?to) (not (can-go-up)))
      (forall (?f - file) (not (selected-file ?f))) (not (can-open))))

  (:action select-file
    :parameters (?w - window ?d - directory ?f - file)
    :precondition (and
      (on-top ?w) (shows-files ?w) (is-current ?d) (contains-file ?d ?f) (not (selected-file ?f)))
    :effect (and
      (forall (?other - file) (not (selected-file ?other))) (selected-file ?f)
      (when (= ?w w-open) (can-open))
      (forall (?other - file) (when (= ?w w-save-as) (not (file-name ?other))))
      (when (= ?w w-save-as) (and (file-name ?f) (can-save)))))

  ; Figure 6 of the paper.
  (:action open-file
    :parameters (?d - directory ?f - file)
    :precondition (and (on-top w-open) (is-current ?d) (contains-file ?d ?f) (selected-file ?f))
    :effect (and
      (not (on-top w-open)) (not (is-open w-open)) (free)
      (not (selected-file ?f)) (not (can-open))
      (forall (?other - file) (not (current-file ?other))) (current-file ?f)
      (forall (?t - text) (and (not (on-screen ?t)) (not (selected-text ?t))))
      (forall (?t - text) (when (in ?f ?t) (on-screen ?t)))))

  (:action type-name
    :parameters (?f - file)
    :precondition (and (on-top w-save-as) (not (file-name ?f)))
    :effect (and
      (forall (?other - file) (and (not (selected-file ?other)) (not (file-name ?other))))
      (file-name ?f) (can-save)))

  (:action save-as
    :parameters (?d - directory ?f - file)
    :precondition (and
      (on-top w-save-as) (is-current ?d) (file-name ?f)
      (forall (?any - directory) (not (contains-file ?any ?f))))
    :effect (and
      (not (on-top w-save-as)) (not (is-open w-save-as)) (free)
      (not (file-name ?f)) (not (can-save))
      (contains-file ?d ?f)
      (forall (?other - file) (not (current-file ?other))) (current-file ?f)
      (forall (?t - text) (when (on-screen ?t) (in ?f ?t)))
      (forall (?t - text) (when (not (on-screen ?t)) (not (in ?f ?t))))))

  (:action ask-to-replace
    :parameters (?d - directory ?f - file)
    :precondition (and (on-top w-save-as) (is-current ?d) (file-name ?f) (contains-file ?d ?f))
    :effect (and (not (on-top w-save-as)) (is-open w-replace-file) (on-top w-replace-file)))

  (:action replace-file
    :parameters (?f - file)
    :precondition (and (on-top w-replace-file) (file-name ?f))
    :effect (and
      (not (on-top w-replace-file)) (not (is-open w-replace-file)) (not (is-open w-save-as)) (free)
      (not (file-name ?f)) (forall (?other - file) (not (selected-file ?other))) (not (can-save))
      (forall (?other - file) (not (current-file ?other))) (current-file ?f)
      (forall (?t - text) (when (on-screen ?t) (in ?f ?t)))
      (forall (?t - text) (when (not (on-screen ?t)) (not (in ?f ?t))))))

  (:action save
    :parameters (?f - file)
    :precondition (and (menu-open m-file) (current-file ?f))
    :effect (and
      (not (menu-open m-file)) (free)
      (forall (?t - text) (when (on-screen ?t) (in ?f ?t)))
      (forall (?t - text) (when (not (on-screen ?t)) (not (in ?f ?t))))))

  (:action confirm-new
    :parameters ()
    :precondition (on-top w-new)
    :effect (and
      (not (on-top w-new)) (not (is-open w-new)) (free)
      (forall (?c - control) (when (and (in-window ?c w-new) (draft ?c)) (set ?c)))
      (forall (?c - control) (when (and (in-window ?c w-new) (not (draft ?c))) (not (set ?c))))
      (forall (?f - file) (not (current-file ?f)))
      (forall (?t - text) (and (not (on-screen ?t)) (not (selected-text ?t))))))

  ; --- Texts

  (:action select-text
    :parameters (?t - text)
    :precondition (and (free) (on-screen ?t) (not (selected-text ?t)))
    :effect (selected-text ?t))

  (:action deselect-text
    :parameters (?t - text)
    :precondition (and (free) (on-screen ?t) (selected-text ?t))
    :effect (not (selected-text ?t)))

  (:action select-all
    :parameters ()
    :precondition (menu-open m-edit)
    :effect (and
      (not (menu-open m-edit)) (free)
      (forall (?t - text) (when (on-screen ?t) (selected-text ?t)))))

  (:action cut
    :parameters ()
    :precondition (and (menu-open m-edit) (exists (?t - text) (selected-text ?t)))
    :effect (and
      (not (menu-open m-edit)) (free)
      (forall (?t - text) (and (not (clipboard ?t)) (not (selected-text ?t))))
      (forall (?t - text) (when (selected-text ?t) (and (clipboard ?t) (not (on-screen ?t)))))))

  (:action copy
    :parameters ()
    :precondition (and (menu-open m-edit) (exists (?t - text) (selected-text ?t)))
    :effect (and
      (not (menu-open m-edit)) (free)
      (forall (?t - text) (not (clipboard ?t)))
      (forall (?t - text) (when (selected-text ?t) (clipboard ?t)))))

  (:action paste
    :parameters ()
    :precondition (and (menu-open m-edit) (exists (?t - text) (clipboard ?t)))
    :effect (and
      (not (menu-open m-edit)) (free)
      (forall (?t - text) (when (clipboard ?t) (on-screen ?t)))))

  (:action clear
    :parameters ()
    :precondition (and (menu-open m-edit) (exists (?t - text) (selected-text ?t)))
    :effect (and
      (not (menu-open m-edit)) (free)
      (forall (?t - text) (not (selected-text ?t)))
      (forall (?t - text) (when (selected-text ?t) (not (on-screen ?t))))))

  (:action insert
    :parameters (?w - window ?c - choice ?t - text ?f - font ?s - style ?z - size)
    :precondition (and
      (on-top ?w) (in-window ?c ?w) (inserts ?c ?t) (draft ?c) (current-font ?f ?s ?z))
    :effect (and
      (not (on-top ?w)) (not (is-open ?w)) (free)
      (forall (?x - control) (when (and (in-window ?x ?w) (draft ?x)) (set ?x)))
      (forall (?x - control) (when (and (in-window ?x ?w) (not (draft ?x))) (not (set ?x))))
      (on-screen ?t)
      (forall (?f2 - font ?s2 - style ?z2 - size) (not (font-of ?t ?f2 ?s2 ?z2)))
      (font-of ?t ?f ?s ?z)))

  (:action confirm-font
    :parameters (?f - font ?s - style ?z - size)
    :precondition (and (on-top w-font) (draft ?f) (draft ?s) (draft ?z))
    :effect (and
      (not (on-top w-font)) (not (is-open w-font)) (free)
      (forall (?c - control) (when (and (in-window ?c w-font) (draft ?c)) (set ?c)))
      (forall (?c - control) (when (and (in-window ?c w-font) (not (draft ?c))) (not (set ?c))))
      (forall (?f2 - font ?s2 - style ?z2 - size) (not (current-font ?f2 ?s2 ?z2)))
      (current-font ?f ?s ?z)
      (forall (?t - text ?f2 - font ?s2 - style ?z2 - size)
        (when (selected-text ?t) (not (font-of ?t ?f2 ?s2 ?z2))))
      (forall (?t - text) (when (selected-text ?t) (font-of ?t ?f ?s ?z)))))

  (:action type-find
    :parameters (?t - text)
    :precondition (and (on-top w-find) (not (find-what ?t)))
    :effect (and (forall (?other - text) (not (find-what ?other))) (find-what ?t)))

  (:action find-next
    :parameters (?t - text)
    :precondition (and (on-top w-find) (find-what ?t) (on-screen ?t))
    :effect (and (forall (?other - text) (not (selected-text ?other))) (selected-text ?t))))
