import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'next-intl'
import { Button } from './button'
import { cn } from './cn'
import { useModalDialog } from './focus-return'
import { ProblemText } from './notice'
import { confirmIfUnsaved } from './unsaved-work'

type DialogProps = {
  onClose: () => void
  title: string
  children: ReactNode
  /** `sheet` is a card on a desk; on a phone it rises from the lower edge, where a thumb reaches it. */
  shape?: keyof typeof shapes
  /** Neither Escape nor a press outside closes a mandatory dialog. */
  isMandatory?: boolean
}

/** The browser's modal dialog, which keeps the focus and makes the rest of the page inert. */
export function Dialog({ onClose, title, children, shape = 'card', isMandatory }: DialogProps) {
  const dialog = useModalDialog()
  const titleId = useId()
  const closeUnlessChanged = () => confirmIfUnsaved(!!dialog.current?.querySelector('[data-unsaved]'), onClose)
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      // The dialog closes at once; the browser would do so a moment later, when the next key may have come.
      onCancel={(event) => {
        // The event of a dialog inside this one bubbles up to it.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!isMandatory) closeUnlessChanged()
      }}
      // A mandatory dialog swallows every Escape, because browsers close a dialog at the second one without `cancel`.
      onKeyDown={(event) => isMandatory && event.key === 'Escape' && event.preventDefault()}
      onClick={(event) => !isMandatory && event.target === dialog.current && closeUnlessChanged()}
      className={cn(
        'flex-col overflow-hidden outline-none border border-line bg-raised p-0 shadow-float open:flex low:overflow-y-auto low:open:block low:max-h-dvh',
        shapes[shape],
      )}
    >
      <h2 id={titleId} className="px-5 pt-4.5 pb-2 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

const cardClass = 'm-auto w-[calc(100vw-32px)] rounded-xl open:animate-rise'
const shapes = {
  card: `${cardClass} max-w-md`,
  wide: `${cardClass} max-w-2xl`,
  page: `${cardClass} max-w-5xl`,
  sheet: `${cardClass} max-w-md not-desk:mb-0 not-desk:max-h-[85dvh] not-desk:w-full not-desk:max-w-none not-desk:rounded-b-none not-desk:border-b-0 not-desk:pb-[env(safe-area-inset-bottom)] not-desk:open:animate-slide-up`,
}

export const rowButtonClass =
  'flex min-h-10 w-full items-center gap-3 rounded-md px-3 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2 aria-[current=true]:bg-fill touch:min-h-12'

type DialogButtonProps = ComponentProps<typeof Button> & { dialog: (close: () => void) => ReactNode }

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}

/** Marks the element to focus when the dialog opens. React's `autoFocus` acts before that. */
export function focusOnOpening(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}

type FormFrameProps = { problem: string | null; actions: ReactNode; children: ReactNode }

/** The content scrolls; the buttons that end the dialog, and the problem, are always in sight. */
export function FormFrame({ problem, actions, children }: FormFrameProps) {
  return (
    <>
      <div className="flex max-h-[min(36rem,68dvh)] flex-col gap-4 overflow-y-auto overscroll-contain px-5 pt-1 pb-4 scroll-thin low:max-h-none low:overflow-visible">
        {children}
      </div>
      <footer className="border-t border-line-soft px-5 py-3">
        <ProblemText text={problem} className="mb-2.5" />
        <div className="flex flex-wrap justify-end gap-2">{actions}</div>
      </footer>
    </>
  )
}

export type ConfirmProps = {
  text: ReactNode
  problem?: string | null
  busy?: boolean
  yes: string
  /** The label of the other button, by default "cancel". */
  no?: string
  /** The focus is first on "yes", so that Enter confirms; else it is on the other button. */
  isPrimary?: boolean
  onYes: () => void
  onNo: () => void
}

export function Confirm({ text, problem = null, busy = false, yes, no, isPrimary, onYes, onNo }: ConfirmProps) {
  const t = useTranslations('common')
  return (
    <div className="flex flex-col gap-5 px-5 pb-5">
      <p className="text-sm wrap-anywhere text-mute">{text}</p>
      <ProblemText text={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button text={no ?? t('cancel')} autoFocus={!isPrimary} onClick={onNo} />
        <Button
          ref={isPrimary ? focusOnOpening : undefined}
          text={yes}
          variant={isPrimary ? 'primary' : 'danger'}
          busy={busy}
          onClick={onYes}
        />
      </div>
    </div>
  )
}

export function ConfirmDialog({ title, ...confirm }: ConfirmProps & { title: string }) {
  return (
    <Dialog onClose={confirm.onNo} title={title}>
      <Confirm {...confirm} />
    </Dialog>
  )
}
