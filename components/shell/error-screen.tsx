import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'

type ErrorScreenProps = { error: Error & { digest?: string }; retry: () => void }

/**
 * In place of a screen that failed. The digest finds the error in the log; the error itself is never shown. Every page
 * carries this for the day something breaks, so it is made of little.
 */
export function ErrorScreen({ error: { digest }, retry }: ErrorScreenProps) {
  const t = useTranslations('errors')
  return (
    <div role="alert" className="grid h-full min-h-96 place-items-center">
      <EmptyState
        icon={<WarningSign />}
        isScreen
        title={t('title')}
        action={
          <>
            <button type="button" onClick={retry} className={buttonClass({ variant: 'primary' })}>
              {t('tryAgain')}
            </button>
            {/* A whole new page, not a soft navigation: whatever broke is thrown away. */}
            <a href="/" className={buttonClass()}>
              {t('toStart')}
            </a>
          </>
        }
      >
        <p>{t('body')}</p>
        {digest !== undefined && <p className="mt-2 text-xs text-faint">{t('reference', { digest })}</p>}
      </EmptyState>
    </div>
  )
}

function WarningSign() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M10.3 4 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0ZM12 9v4m0 4h.01" />
    </svg>
  )
}
