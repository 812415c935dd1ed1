(define (domain tabs)
  ; A tab bar, of which one tab is selected.
  (:requirements :adl)
  (:types tab)
  (:predicates (tab-selected ?t - tab))
  (:action select-tab
    :parameters (?t - tab)
    :precondition (and)
    :effect (and (forall (?o - tab) (not (tab-selected ?o))) (tab-selected ?t))))
