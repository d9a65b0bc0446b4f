import { useTranslations } from 'next-intl'
import { Component, createContext, type ReactNode, useContext } from 'react'
import { buttonClass } from '@/components/ui/button'

type BoundaryProps = { children: ReactNode; /** What broke over one thing may do for the next. */ about?: unknown }
type BoundaryState = { isBroken: boolean; about: unknown }

/** Keeps the fault of one part from taking the whole screen with it. */
export class PartBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { isBroken: false, about: this.props.about }
  static getDerivedStateFromError() {
    return { isBroken: true }
  }
  static getDerivedStateFromProps({ about }: BoundaryProps, before: BoundaryState) {
    return about === before.about ? null : { isBroken: false, about }
  }
  override render() {
    if (!this.state.isBroken) return this.props.children
    return <PartFailure is="broken" onRetry={() => this.setState({ isBroken: false })} />
  }
}

/** How the dialog that a part belongs to is closed; null for a part that is in no dialog. */
export const CloseDialog = createContext<(() => void) | null>(null)

type PartFailureProps = { is: 'missing' | 'broken'; onRetry: () => void }

/** In place of a part that could not be fetched, or that broke; in place of a dialog as a dialog. */
export function PartFailure({ is, onRetry }: PartFailureProps) {
  const t = useTranslations()
  const onClose = useContext(CloseDialog)
  const text = t(is === 'missing' ? 'trouble.partMissing' : 'trouble.partBroken')
  const content = (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-5 text-center text-sm text-pretty text-mute">
      <p>{text}</p>
      <button type="button" className={buttonClass()} onClick={onRetry}>
        {t('errors.tryAgain')}
      </button>
      {onClose !== null && (
        <button type="button" className={buttonClass({ variant: 'ghost' })} onClick={onClose}>
          {t('common.close')}
        </button>
      )}
    </div>
  )
  const isBroken = is === 'broken' || undefined
  if (onClose === null) {
    return (
      <div role="alert" data-broken={isBroken} className="h-full">
        {content}
      </div>
    )
  }
  return (
    <dialog
      ref={showModal}
      role="alertdialog"
      aria-label={text}
      data-broken={isBroken}
      onClose={onClose}
      className="m-auto max-w-[min(24rem,calc(100vw-32px))] rounded-xl border border-line bg-raised text-ink shadow-float"
    >
      {content}
    </dialog>
  )
}

function showModal(dialog: HTMLDialogElement | null): void {
  if (dialog?.open === false) dialog.showModal()
}
