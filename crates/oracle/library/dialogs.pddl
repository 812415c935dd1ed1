(define (domain dialogs)
  ; Dialogs: while one is open, only what is in it can be done. The problem says which button opens
  ; which: `(opens save-as-button save-as)`. What a dialog does when it is confirmed is an action of
  ; the model's own.
  (:requirements :adl)
  (:types dialog opener)
  (:predicates (dialog-open ?d - dialog) (opens ?o - opener ?d - dialog))
  (:action open-dialog
    :parameters (?o - opener ?d - dialog)
    :precondition (and (opens ?o ?d) (not (exists (?other - dialog) (dialog-open ?other))))
    :effect (dialog-open ?d))
  (:action cancel-dialog
    :parameters (?d - dialog)
    :precondition (dialog-open ?d)
    :effect (not (dialog-open ?d))))
