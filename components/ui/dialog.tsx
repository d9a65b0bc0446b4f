import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cn } from './cn'
import { useFocusReturn } from './focus-return'

type DialogProps = {
  onClose: () => void
  title: string
  children: ReactNode
  /** `sheet` rises from the lower edge, where a thumb reaches it. */
  shape?: 'card' | 'wide' | 'sheet'
  /** Neither Escape nor a press outside closes it. */
  insistent?: boolean
}

/** The browser's modal dialog: it holds the focus, makes the rest inert and gives the focus back. */
export function Dialog({ onClose, title, children, shape = 'card', insistent = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useFocusReturn()
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      // Within the key press: the browser's own way closes a moment later, when the next key may have come.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!insistent) onClose()
      }}
      // Browsers let a second Escape in a row close it without `cancel`, so no Escape gets through at all.
      onKeyDown={(event) => insistent && event.key === 'Escape' && event.preventDefault()}
      onClick={(event) => !insistent && event.target === dialog.current && onClose()}
      className={cn(
        'flex-col overflow-hidden outline-none border border-line bg-raised p-0 shadow-float open:flex low:overflow-y-auto low:open:block',
        shape !== 'sheet'
          ? 'm-auto w-[calc(100vw-32px)] rounded-xl low:max-h-dvh open:animate-rise'
          : 'mt-auto mb-0 max-h-[85dvh] low:max-h-dvh w-full max-w-none rounded-t-xl border-b-0 pb-[env(safe-area-inset-bottom)] open:animate-slide-up',
        { card: 'max-w-md', wide: 'max-w-2xl', sheet: '' }[shape],
      )}
    >
      <h2 id={titleId} className="px-5 pt-4.5 pb-2 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** Marks what gets the focus when the dialog opens. React's own attribute comes too early for that. */
export function focusOnOpening(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
