'use client'

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { LifeBuoy, type LucideIcon, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useDayTimeFormatter } from '@/components/app/clock'
import { lazyDialog } from '@/components/app/lazy-part'
import { LeaveDialogHost } from '@/components/app/global-dialogs'
import { ConfirmButton, useSave } from '@/components/app/save-form'
import { Button } from '@/components/ui/button'
import { DialogButton } from '@/components/ui/dialog'
import { LoadFailure } from '@/components/ui/load-failure'
import { TitledSection } from '@/components/ui/headings'
import { Toaster } from '@/components/ui/toaster'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { api, apiQuery } from '@/lib/api/call'
import type { Answer } from '@/lib/contract/endpoints'
import { Reauthentication } from './reauthentication'

const AddTotpDialog = lazyDialog(async () => (await import('./second-factor-dialogs')).AddTotpDialog)
const RenewCodesDialog = lazyDialog(async () => (await import('./second-factor-dialogs')).RenewCodesDialog)

type SecondFactorsProps = {
  initial: Answer<'GET /api/account/second-factors'>
  /** Called once a factor is added, and its recovery codes are saved. */
  onFinished?: () => void
}

export function SecondFactorsSection({ initial, onFinished }: SecondFactorsProps) {
  const t = useTranslations('account')
  const formatDayTime = useDayTimeFormatter()
  const query = { ...apiQuery('GET /api/account/second-factors'), initialData: initial }
  const { data, isError, refetch } = useQuery(query)
  const { factors, recoveryCodesLeft } = data
  const [newFactor, setNewFactor] = useState<Answer<'POST /api/account/second-factors/totp'> | null>(null)
  const nextName = t('factors.app', { number: factors.length + 1 })
  const adding = useSave({
    send: () => api('POST /api/account/second-factors/totp', { body: { name: nextName } }),
    onSaved: setNewFactor,
  })
  return (
    <TitledSection id="second-factors" title={t('factors.title')} hint={t('factors.body')}>
      {isError && <LoadFailure onRetry={refetch} />}
      {factors.length === 0 ? (
        <p className="text-sm">{t('factors.none')}</p>
      ) : (
        <ul className="card overflow-hidden">
          {factors.map(({ id, name, createdAt, lastUsedAt }) => (
            <AccountRow
              key={id}
              icon={Smartphone}
              title={<p className="font-medium wrap-anywhere">{name}</p>}
              facts={[
                t('factors.added', { when: formatDayTime(createdAt) }),
                lastUsedAt === null ? t('factors.unused') : t('factors.used', { when: formatDayTime(lastUsedAt) }),
              ].join(' · ')}
              action={
                <ConfirmButton
                  text={t('factors.remove')}
                  size="sm"
                  aria-label={t('factors.removeNamed', { name })}
                  texts={{
                    title: t('factors.removeTitle', { name }),
                    text: t(factors.length === 1 ? 'factors.removeLastBody' : 'factors.removeBody'),
                    yes: t('factors.remove'),
                  }}
                  saving={{
                    send: () => api('DELETE /api/account/second-factors/[id]', { params: { id } }),
                    successMessage: t('factors.removed', { name }),
                    invalidate: 'GET /api/account/second-factors',
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
                <span className={recoveryCodesLeft < 3 ? 'text-danger' : undefined}>
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
        </ul>
      )}
      <Button text={t('factors.addTotp')} className="mt-3" busy={adding.busy} onClick={() => adding.save()} />
      {newFactor !== null && (
        <AddTotpDialog newFactor={newFactor} onAdded={onFinished} onClose={() => setNewFactor(null)} />
      )}
    </TitledSection>
  )
}

/** A user whose role requires a second factor adds one here. The screen is outside the shell, so it brings its own dialogs. */
export function EnrolFactorScreen({ initial }: { initial: Answer<'GET /api/account/second-factors'> }) {
  const t = useTranslations()
  const [queryClient] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <SecondFactorsSection initial={initial} onFinished={() => location.assign('/')} />
      <Button text={t('account.enrol.signOut')} variant="ghost" className="mt-8" onClick={requestSignOut} />
      <LeaveDialogHost />
      <Reauthentication />
      <Toaster label={t('shell.notifications')} />
    </QueryClientProvider>
  )
}

type AccountRowProps = { icon: LucideIcon; title: ReactNode; facts: ReactNode; action: ReactNode }

export function AccountRow({ icon: Icon, title, facts, action }: AccountRowProps) {
  return (
    <li className="card-row">
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
