(define (domain undo)
  ; Undo and redo of a content that is replaced as a whole. Versions are objects with a successor:
  ; `(next-version v0 v1)`. An action of the model's own that changes the content takes the version
  ; that is current and the next one, and says what the content is then, as `replace-content` does.
  (:requirements :adl)
  (:types version content)
  (:predicates
    (version-now ?v - version)
    (newest ?v - version)
    (next-version ?v ?w - version)
    (content-at ?v - version ?c - content)
    (content-shown ?c - content))
  (:action replace-content
    :parameters (?v ?w - version ?c - content)
    :precondition (and (version-now ?v) (next-version ?v ?w))
    :effect (and
      (not (version-now ?v)) (version-now ?w)
      (forall (?o - version) (not (newest ?o))) (newest ?w)
      (forall (?o - content) (not (content-at ?w ?o))) (content-at ?w ?c)
      (forall (?o - content) (not (content-shown ?o))) (content-shown ?c)))
  (:action undo
    :parameters (?v ?w - version)
    :precondition (and (version-now ?w) (next-version ?v ?w))
    :effect (and
      (not (version-now ?w)) (version-now ?v)
      (forall (?o - content) (not (content-shown ?o)))
      (forall (?o - content) (when (content-at ?v ?o) (content-shown ?o)))))
  (:action redo
    :parameters (?v ?w - version)
    :precondition (and (version-now ?v) (next-version ?v ?w) (not (newest ?v)))
    :effect (and
      (not (version-now ?v)) (version-now ?w)
      (forall (?o - content) (not (content-shown ?o)))
      (forall (?o - content) (when (content-at ?w ?o) (content-shown ?o))))))
