import { useTranslations } from 'next-intl'

/** Shows only the digest, by which an operator finds the error in the log. Every page loads this, so it is small. */
export function ErrorScreen({ error: { digest } }: { error: Error & { digest?: string } }) {
  const t = useTranslations('errors')
  return (
    <div role="alert" data-broken className="error-screen">
      <h1>{t('title')}</h1>
      <p>{t('body')}</p>
      {digest !== undefined && <p>{t('reference', { digest })}</p>}
      <div>
        {/* Button and link load a whole page, because the router remembers code that failed to load. */}
        <button type="button" onClick={() => location.reload()} className="button">
          {t('tryAgain')}
        </button>
        <a href="/" className="button">
          {t('toStart')}
        </a>
      </div>
    </div>
  )
}
