import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, LifeBuoy, Smartphone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useNow } from '@/components/browser/clock'
import { lazyDialog } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { LoadFailure } from '@/components/ui/load-failure'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import type { AddedFactorAnswer, SecondFactor, SecondFactorsAnswer } from '@/lib/contract/second-factor'
import { dayAndTime } from '@/lib/time/format-time'
import { AccountSection } from './account-section'
import { RecoveryCodesDialog } from './recovery-codes-dialog'

const AddTotpDialog = lazyDialog(async () => (await import('./add-totp-dialog')).AddTotpDialog)
const AddPasskeyDialog = lazyDialog(async () => (await import('./add-passkey-dialog')).AddPasskeyDialog)

type SecondFactorsSectionProps = {
  first: SecondFactorsAnswer
  /** After something was added, and the codes that came with it are put away. */
  onAdded?: () => void
}

const factorsQuery = apiQuery('GET /api/account/second-factors')

/** What one proves who one is with besides the password. */
export function SecondFactorsSection({ first, onAdded }: SecondFactorsSectionProps) {
  const t = useTranslations('account.factors')
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...factorsQuery, initialData: first })
  const [adding, setAdding] = useState<'totp' | 'passkey' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const show = ({ recoveryCodes }: AddedFactorAnswer) => {
    setAdding(null)
    setCodes(recoveryCodes)
    void client.invalidateQueries({ queryKey: factorsQuery.queryKey })
    if (recoveryCodes === null) onAdded?.()
  }
  const putAway = () => {
    setCodes(null)
    onAdded?.()
  }
  return (
    <AccountSection id="second-factors" title={t('title')} hint={t('body')}>
      {isError && <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>}
      <Factors factors={data.factors}>
        <RecoveryCodes left={data.recoveryCodesLeft} onRenewed={setCodes} />
      </Factors>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => setAdding('passkey')}>{t('addPasskey')}</Button>
        <Button onClick={() => setAdding('totp')}>{t('addTotp')}</Button>
      </div>
      {adding === 'totp' && <AddTotpDialog onAdded={show} onClose={() => setAdding(null)} />}
      {adding === 'passkey' && <AddPasskeyDialog onAdded={show} onClose={() => setAdding(null)} />}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={putAway} />}
    </AccountSection>
  )
}

/** What there is, and below it what helps when it is gone. */
function Factors({ factors, children }: { factors: readonly SecondFactor[]; children: ReactNode }) {
  const t = useTranslations('account.factors')
  const [removing, setRemoving] = useState<SecondFactor | null>(null)
  if (factors.length === 0) return <p className="text-sm">{t('none')}</p>
  return (
    <>
      <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
        {factors.map((factor) => (
          <FactorRow key={factor.id} factor={factor} onRemove={() => setRemoving(factor)} />
        ))}
        {children}
      </ul>
      {removing !== null && (
        <RemoveFactor factor={removing} isLast={factors.length === 1} onClose={() => setRemoving(null)} />
      )}
    </>
  )
}

const rowClass =
  'flex flex-wrap items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2.5 pl-4 last:border-b-0'

function FactorRow({ factor, onRemove }: { factor: SecondFactor; onRemove: () => void }) {
  const t = useTranslations('account.factors')
  const locale = useLocale()
  const now = useNow()
  const when = (text: string) => dayAndTime(Date.parse(text), now ?? Date.parse(text), locale)
  const { name, type, createdAt, lastUsedAt } = factor
  const Icon = type === 'totp' ? Smartphone : KeyRound
  const facts = [
    t(`type.${type}`),
    t('added', { when: when(createdAt) }),
    lastUsedAt === null ? t('unused') : t('used', { when: when(lastUsedAt) }),
  ]
  return (
    <li className={rowClass}>
      <Icon aria-hidden className="size-5 shrink-0 text-mute" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p suppressHydrationWarning className="tabular text-sm text-pretty text-mute">
          {facts.join(' · ')}
        </p>
      </div>
      <Button size="sm" onClick={onRemove} aria-label={t('removeNamed', { name })}>
        {t('remove')}
      </Button>
    </li>
  )
}

type RemoveFactorProps = { factor: SecondFactor; isLast: boolean; onClose: () => void }

function RemoveFactor({ factor: { id, name }, isLast, onClose }: RemoveFactorProps) {
  const t = useTranslations('account.factors')
  const common = useTranslations('common')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => api('DELETE /api/account/second-factors/[id]', { params: { id } }),
    onSuccess: () => {
      toast(t('removed', { name }))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  })
  return (
    <Dialog open onClose={onClose} title={t('removeTitle', { name })}>
      <Confirmation
        text={t(isLast ? 'removeLastBody' : 'removeBody')}
        problem={isError ? t('saveFailed') : null}
        actions={
          <>
            <Button autoFocus onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button variant="danger" busy={isPending} onClick={() => mutate()}>
              {t('remove')}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}

/** So few are told in red. */
const FEW_CODES = 3

function RecoveryCodes({ left, onRenewed }: { left: number; onRenewed: (codes: string[]) => void }) {
  const t = useTranslations('account.codes')
  const factors = useTranslations('account.factors')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /api/account/recovery-codes'),
    onSuccess: ({ recoveryCodes }) => {
      toast(t('renewed'))
      onRenewed(recoveryCodes)
      return client.invalidateQueries({ queryKey: factorsQuery.queryKey })
    },
    onError: () => toast(factors('saveFailed'), { tone: 'error' }),
  })
  return (
    <li className={rowClass}>
      <LifeBuoy aria-hidden className="size-5 shrink-0 text-mute" />
      <div className="min-w-0 flex-1 basis-40">
        <h3 className="font-medium">{t('title')}</h3>
        <p className="text-sm text-pretty text-mute">
          <span className={left < FEW_CODES ? 'text-danger' : undefined}>{t('left', { count: left })}</span> {t('hint')}
        </p>
      </div>
      <Button size="sm" busy={isPending} onClick={() => mutate()}>
        {t('renew')}
      </Button>
    </li>
  )
}
