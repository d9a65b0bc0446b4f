import { useTranslations } from 'next-intl'

type ErrorScreenProps = { error: Error & { digest?: string }; retry: () => void }

/** The digest finds the error in the log; the error itself is never shown. Every page carries this, so it is small. */
export function ErrorScreen({ error: { name, digest }, retry }: ErrorScreenProps) {
  const t = useTranslations('errors')
  // The router remembers a screen's code that failed to load; only a new page asks for it again.
  const isChunkMissing = name === 'ChunkLoadError'
  return (
    <div role="alert" data-broken className="grid h-full min-h-96 place-items-center">
      <div className="flex max-w-sm flex-col items-center gap-1.5 px-6 py-16 text-center text-sm text-pretty text-mute low:py-6">
        <WarningSign />
        <h1 className="mt-2 text-base font-semibold text-balance text-ink">{t('title')}</h1>
        <p>{t('body')}</p>
        {digest !== undefined && <p className="mt-2 text-xs text-faint">{t('reference', { digest })}</p>}
        <div className="mt-3 flex gap-2">
          <button
            type="button"
            onClick={isChunkMissing ? () => location.reload() : retry}
            className="button h-8 border-accent bg-accent px-3 text-accent-ink hover:bg-accent-strong"
          >
            {t('tryAgain')}
          </button>
          {/* A whole new page, not a soft navigation: whatever broke is thrown away. */}
          <a href="/" className="button h-8 border-line bg-panel px-3 text-ink hover:bg-hover">
            {t('toStart')}
          </a>
        </div>
      </div>
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
      className="size-6"
    >
      <path d="M10.3 4 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0ZM12 9v4m0 4h.01" />
    </svg>
  )
}
