import { useQuery } from '@tanstack/react-query'
import { LifeBuoy, type LucideIcon, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useDayAndTime } from '@/components/app/clock'
import { lazyDialog } from '@/components/app/lazy-part'
import { ConfirmButton, useSave } from '@/components/app/save'
import { Button } from '@/components/ui/button'
import { DialogButton } from '@/components/ui/dialog'
import { LoadFailure } from '@/components/ui/load-failure'
import { TitledSection } from '@/components/ui/headings'
import { type Answer, api, apiQuery } from '@/lib/api/call'
import type { SecondFactorsAnswer } from '@/lib/contract/account'

const AddTotpDialog = lazyDialog(async () => (await import('./second-factor-dialogs')).AddTotpDialog)
const RenewCodesDialog = lazyDialog(async () => (await import('./second-factor-dialogs')).RenewCodesDialog)

const LOW_CODES_BELOW = 3

type SecondFactorsProps = {
  initial: SecondFactorsAnswer
  /** Called once a factor is added, and its recovery codes are saved. */
  onFinished?: () => void
}

export function SecondFactorsSection({ initial, onFinished }: SecondFactorsProps) {
  const t = useTranslations('account')
  const when = useDayAndTime()
  const query = { ...apiQuery('GET /api/account/second-factors'), initialData: initial }
  const { data, isError, refetch } = useQuery(query)
  const { factors, recoveryCodesLeft } = data
  const [newFactor, setNewFactor] = useState<Answer<'POST /api/account/second-factors/totp'> | null>(null)
  const nameOfNext = t('factors.app', { number: factors.length + 1 })
  const adding = useSave({
    send: () => api('POST /api/account/second-factors/totp', { body: { name: nameOfNext } }),
    onSaved: setNewFactor,
  })
  return (
    <TitledSection id="second-factors" title={t('factors.title')} hint={t('factors.body')}>
      {isError && <LoadFailure onRetry={refetch} />}
      {factors.length === 0 ? (
        <p className="text-sm">{t('factors.none')}</p>
      ) : (
        <AccountList>
          {factors.map(({ id, name: ownName, createdAt, lastUsedAt }) => (
            <AccountRow
              key={id}
              icon={Smartphone}
              title={<p className="font-medium wrap-anywhere">{ownName}</p>}
              facts={[
                t('factors.added', { when: when(createdAt) }),
                lastUsedAt === null ? t('factors.unused') : t('factors.used', { when: when(lastUsedAt) }),
              ].join(' · ')}
              action={
                <ConfirmButton
                  text={t('factors.remove')}
                  size="sm"
                  aria-label={t('factors.removeNamed', { name: ownName })}
                  ask={{
                    title: t('factors.removeTitle', { name: ownName }),
                    text: t(factors.length === 1 ? 'factors.removeLastBody' : 'factors.removeBody'),
                    yes: t('factors.remove'),
                  }}
                  saving={{
                    send: () => api('DELETE /api/account/second-factors/[id]', { params: { id } }),
                    done: t('factors.removed', { name: ownName }),
                    refresh: 'GET /api/account/second-factors',
                  }}
                />
              }
            />
          ))}
          <AccountRow
            icon={LifeBuoy}
            title={<h3 className="font-medium">{t('codes.title')}</h3>}
            facts={
              <>
                <span className={recoveryCodesLeft < LOW_CODES_BELOW ? 'text-danger' : undefined}>
                  {t('codes.left', { count: recoveryCodesLeft })}
                </span>{' '}
                {t('codes.hint')}
              </>
            }
            action={
              <DialogButton
                text={t('codes.renew')}
                size="sm"
                dialog={(close) => <RenewCodesDialog onClose={close} />}
              />
            }
          />
        </AccountList>
      )}
      <Button text={t('factors.addTotp')} className="mt-3" busy={adding.busy} onClick={() => adding.save()} />
      {newFactor !== null && (
        <AddTotpDialog newFactor={newFactor} onAdded={onFinished} onClose={() => setNewFactor(null)} />
      )}
    </TitledSection>
  )
}

export function AccountList({ children }: { children: ReactNode }) {
  return <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">{children}</ul>
}

type AccountRowProps = { icon: LucideIcon; title: ReactNode; facts: ReactNode; action: ReactNode }

export function AccountRow({ icon: Icon, title, facts, action }: AccountRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2.5 pl-4 last:border-b-0">
      <Icon className="size-5 shrink-0 text-mute" />
      <div className="min-w-0 flex-1 basis-40">
        {title}
        <p suppressHydrationWarning className="tabular text-sm text-pretty wrap-anywhere text-mute">
          {facts}
        </p>
      </div>
      {action}
    </li>
  )
}
