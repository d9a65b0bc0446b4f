import { useTranslations } from 'next-intl'
import { useSave } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { MailReport, MailTestAnswer, SignOnReport } from '@/lib/contract/feed-status'
import { Detail, Figure, HealthCard, ProblemBox } from './status-parts'

export function SignOnCard({ report: { name, problem } }: { report: SignOnReport }) {
  const t = useTranslations('admin.status.signOn')
  const health = problem === null ? 'healthy' : 'failing'
  return (
    <HealthCard id="sign-on" title={t('title', { name })} health={health} word={t(`health.${health}`)}>
      {problem !== null && (
        <ProblemBox title={t('meanwhile')}>
          <Detail label={t('detail')} text={problem} />
        </ProblemBox>
      )}
    </HealthCard>
  )
}

type MailCardProps = { report: MailReport | null; email: string }

export function MailCard({ report, email }: MailCardProps) {
  const t = useTranslations('admin.status.mail')
  if (report === null) {
    return (
      <HealthCard id="mail" title={t('title')} health="waiting" word={t('notSetUp')}>
        <p className="max-w-prose text-sm text-pretty text-mute">{t('missing')}</p>
      </HealthCard>
    )
  }
  return (
    <HealthCard id="mail" title={t('title')} health="healthy" word={t('ready')}>
      <p className="max-w-prose text-sm text-pretty text-mute">{t('body')}</p>
      <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm sm:grid-cols-3">
        <Figure label={t('server')}>
          <span className="break-all">{report.server}</span>
        </Figure>
        <Figure label={t('from')}>
          <span className="break-words">{report.from}</span>
        </Figure>
        <Figure label={t('tls')}>{t(`tlsOf.${report.tls}`)}</Figure>
      </dl>
      <TestMessage email={email} />
    </HealthCard>
  )
}

function TestMessage({ email }: Pick<MailCardProps, 'email'>) {
  const t = useTranslations('admin.status.mail')
  const { save, busy, answer, error } = useSave({ send: () => api('POST /api/status/mail'), failed: () => null })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button text={t(busy ? 'sending' : 'send')} busy={busy} onClick={() => save()} />
      <div role="status" className="w-full empty:hidden">
        {error !== null && <Notice>{t(hasStatus(error, 429) ? 'busy' : 'failed')}</Notice>}
        {answer !== undefined && <Outcome answer={answer} email={email} />}
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
      <Detail label={t('detail')} text={detail} />
    </Notice>
  )
}
