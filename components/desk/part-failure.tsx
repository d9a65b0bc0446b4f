import { useTranslations } from 'next-intl'
import { createContext, useContext } from 'react'
import { buttonClass } from '@/components/ui/button-class'

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
