import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { MailReport, MailTestAnswer } from '@/lib/contract/mail'
import { HealthCard } from './list-health'
import { Figure } from './status-figures'

type MailCardProps = { report: MailReport | null; email: string }

/** Whether Intag sends mail itself, and a message to oneself that shows it. */
export function MailCard({ report, email }: MailCardProps) {
  const t = useTranslations('admin.status.mail')
  const isReady = report !== null
  return (
    <HealthCard
      id="mail"
      title={t('title')}
      health={isReady ? 'healthy' : 'waiting'}
      word={t(isReady ? 'ready' : 'notSetUp')}
    >
      <p className="max-w-prose text-sm text-pretty text-mute">{t(isReady ? 'body' : 'missing')}</p>
      {isReady && <Figures report={report} />}
      {isReady && <TestMessage email={email} />}
    </HealthCard>
  )
}

function Figures({ report: { server, from, tls } }: { report: MailReport }) {
  const t = useTranslations('admin.status.mail')
  return (
    <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm sm:grid-cols-3">
      <Figure label={t('server')}>
        <span className="break-all">{server}</span>
      </Figure>
      <Figure label={t('from')}>
        <span className="break-words">{from}</span>
      </Figure>
      <Figure label={t('tls')}>{t(`tlsOf.${tls}`)}</Figure>
    </dl>
  )
}

function TestMessage({ email }: Pick<MailCardProps, 'email'>) {
  const t = useTranslations('admin.status.mail')
  const { mutate, data, isPending, isError, error } = useMutation({ mutationFn: () => api('POST /api/status/mail') })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button busy={isPending} onClick={() => mutate()}>
        {t(isPending ? 'sending' : 'send')}
      </Button>
      <div role="status" className="w-full empty:hidden">
        {!isPending && isError && (
          <Notice>{t(error instanceof ApiError && error.status === 429 ? 'busy' : 'failed')}</Notice>
        )}
        {!isPending && data && <Outcome answer={data} email={email} />}
      </div>
    </div>
  )
}

function Outcome({ answer: { outcome, detail }, email }: { answer: MailTestAnswer; email: string }) {
  const t = useTranslations('admin.status.mail')
  const mail = useTranslations('mail')
  if (outcome === 'sent') return <Notice tone="plain">{t('sent', { address: email })}</Notice>
  return (
    <Notice>
      {mail(`failed.${outcome}`)}
      {detail !== '' && (
        <span className="mt-1 block text-xs">
          {t('detail')}{' '}
          <code lang="en" className="font-mono">
            {detail}
          </code>
        </span>
      )}
    </Notice>
  )
}
