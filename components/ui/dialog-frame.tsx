import type { ReactNode } from 'react'
import { useIsWide } from '@/components/browser/screen-width'
import { Dialog } from './dialog'
import { ProblemText } from './notice'

type DialogFrameProps = {
  title: string
  onClose: () => void
  insistent?: boolean
  children: ReactNode
  /** Stays in view while the rest scrolls. */
  footer: ReactNode
}

/**
 * A dialog with more than a question in it: a card on a desk, a sheet within reach of the thumb on a phone. What scrolls
 * starts from its own height (`flex-auto`): from none, WebKit leaves it folded when its content comes later.
 */
export function DialogFrame({ title, onClose, insistent = false, children, footer }: DialogFrameProps) {
  const isWide = useIsWide()
  return (
    <Dialog open title={title} onClose={onClose} shape={isWide ? 'card' : 'sheet'} insistent={insistent}>
      <div className="flex min-h-0 flex-auto flex-col gap-4 overflow-y-auto px-5 pt-1 pb-5 scroll-thin low:overflow-visible">
        {children}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line bg-side px-5 py-3">
        {footer}
      </div>
    </Dialog>
  )
}

type FormFrameProps = { problem: string | null; actions: ReactNode; children: ReactNode }

/** Inside a form in a dialog: the fields scroll; what ends the form, and why it failed, is always in sight. */
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

type ConfirmationProps = { text: ReactNode; problem?: string | null; actions: ReactNode }

/** Inside a dialog that asks before it does something: what that means, and the ways on. */
export function Confirmation({ text, problem = null, actions }: ConfirmationProps) {
  return (
    <div className="flex flex-col gap-5 px-5 pb-5">
      <p className="text-sm wrap-anywhere text-mute">{text}</p>
      <ProblemText text={problem} />
      <div className="flex flex-wrap justify-end gap-2">{actions}</div>
    </div>
  )
}
