(define (domain menus)
  ; Menus of which one is open at a time. An action that is a command of a menu has
  ; `(menu-open ?m)` in its precondition and `(not (menu-open ?m))` in its effect.
  (:requirements :adl)
  (:types menu)
  (:predicates (menu-open ?m - menu))
  (:action open-menu
    :parameters (?m - menu)
    :precondition (not (exists (?o - menu) (menu-open ?o)))
    :effect (menu-open ?m))
  (:action close-menu
    :parameters (?m - menu)
    :precondition (menu-open ?m)
    :effect (not (menu-open ?m))))
