; What the actions of a small editor need and do.
(define (domain editor)
  (:requirements :adl)
  (:types file text)
  (:predicates
    (current ?f - file)             ; the file that is open
    (contains ?f - file ?t - text)  ; what is in a file, also while another one is open
    (clipboard ?t - text)
    (choosing)                      ; the dialog for opening a file
    (menu))                         ; the menu Edit

  (:action choose-file
    :parameters ()
    :precondition (not (choosing))
    :effect (and (choosing) (not (menu))))

  (:action cancel
    :parameters ()
    :precondition (choosing)
    :effect (not (choosing)))

  (:action open-file
    :parameters (?f - file)
    :precondition (choosing)
    :effect (and (not (choosing)) (forall (?o - file) (not (current ?o))) (current ?f)))

  (:action open-menu
    :parameters ()
    :precondition (and (not (menu)) (not (choosing)))
    :effect (menu))

  (:action close-menu
    :parameters ()
    :precondition (and (menu) (not (choosing)))
    :effect (not (menu)))

  (:action cut
    :parameters (?f - file ?t - text)
    :precondition (and (menu) (current ?f) (contains ?f ?t))
    :effect (and (not (menu)) (not (contains ?f ?t))
      (forall (?o - text) (not (clipboard ?o))) (clipboard ?t)))

  (:action paste
    :parameters (?f - file ?t - text)
    :precondition (and (menu) (current ?f) (clipboard ?t)
      (not (exists (?o - text) (contains ?f ?o))))
    :effect (and (not (menu)) (contains ?f ?t))))
