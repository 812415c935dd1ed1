(define (domain text-fields)
  ; Fields, and the texts that a test may type into them.
  (:requirements :adl)
  (:types text-field typed-text)
  (:predicates
    (field-empty ?f - text-field)
    (field-says ?f - text-field ?t - typed-text))
  (:action type-text
    :parameters (?f - text-field ?t - typed-text)
    :precondition (field-empty ?f)
    :effect (and (not (field-empty ?f)) (field-says ?f ?t)))
  (:action clear-field
    :parameters (?f - text-field)
    :precondition (not (field-empty ?f))
    :effect (and (field-empty ?f) (forall (?t - typed-text) (not (field-says ?f ?t))))))
