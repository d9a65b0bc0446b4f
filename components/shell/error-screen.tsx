import { useTranslations } from 'next-intl'

/** Shows only the digest, by which an operator finds the error in the log. Every page loads this, so it is small. */
export function ErrorScreen({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const { name, digest } = error
  const t = useTranslations('errors')
  // Code that failed to load is requested again only by a new page, because the router remembers the failure.
  const isChunkMissing = name === 'ChunkLoadError'
  return (
    <div role="alert" data-broken className="error-screen">
      <h1>{t('title')}</h1>
      <p>{t('body')}</p>
      {digest !== undefined && <p>{t('reference', { digest })}</p>}
      <div>
        <button type="button" onClick={isChunkMissing ? () => location.reload() : reset} className="button">
          {t('tryAgain')}
        </button>
        {/* The link loads a whole new page, so that whatever broke is thrown away. */}
        <a href="/" className="button">
          {t('toStart')}
        </a>
      </div>
    </div>
  )
}
