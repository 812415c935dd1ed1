(define (domain lists)
  ; The entries of a list: which are there, and which one is selected.
  (:requirements :adl)
  (:types entry)
  (:predicates (in-list ?e - entry) (entry-selected ?e - entry))
  (:action select-entry
    :parameters (?e - entry)
    :precondition (in-list ?e)
    :effect (and (forall (?o - entry) (not (entry-selected ?o))) (entry-selected ?e))))
