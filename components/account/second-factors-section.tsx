import { useQuery } from '@tanstack/react-query'
import { LifeBuoy, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useDayTimeFormatter } from '@/components/app/clock'
import { lazyDialog } from '@/components/app/lazy-part'
import { ConfirmButton } from '@/components/app/confirm-button'
import { useSave } from '@/components/app/use-save'
import { Button } from '@/components/ui/button'
import { DialogButton } from '@/components/ui/dialog'
import { TitledSection } from '@/components/ui/headings'
import { LoadFailure } from '@/components/ui/load-failure'
import { api, apiQuery } from '@/lib/api/call'
import type { Answer } from '@/lib/contract/endpoints'
import { AccountRow } from './account-row'

const AddTotpDialog = lazyDialog(async () => (await import('./second-factor-dialogs')).AddTotpDialog)
const RenewCodesDialog = lazyDialog(async () => (await import('./second-factor-dialogs')).RenewCodesDialog)

type SecondFactorsProps = { initialFactors: Answer<'GET /api/account/second-factors'>; onFinished?: () => void }

export function SecondFactorsSection({ initialFactors, onFinished }: SecondFactorsProps) {
  const t = useTranslations('account')
  const formatDayTime = useDayTimeFormatter()
  const { data, isError, refetch } = useQuery({
    ...apiQuery('GET /api/account/second-factors'),
    initialData: initialFactors,
  })
  const { factors, recoveryCodesLeft } = data
  const [newFactor, setNewFactor] = useState<Answer<'POST /api/account/second-factors/totp'> | null>(null)
  const newName = t('factors.app', { number: factors.length + 1 })
  const { save: addFactor, busy: isAdding } = useSave({
    send: () => api('POST /api/account/second-factors/totp', { body: { name: newName } }),
    onSaved: setNewFactor,
  })
  return (
    <TitledSection id="second-factors" title={t('factors.title')} hint={t('factors.body')}>
      {isError && <LoadFailure onRetry={refetch} />}
      {factors.length === 0 ? (
        <p className="text-sm">{t('factors.none')}</p>
      ) : (
        <ul className="card overflow-hidden">
          {factors.map(({ id, name, createdAt }) => (
            <AccountRow
              key={id}
              icon={Smartphone}
              title={<p className="font-medium wrap-anywhere">{name}</p>}
              facts={t('factors.added', { when: formatDayTime(createdAt) })}
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
            facts={`${t('codes.left', { count: recoveryCodesLeft })} ${t('codes.hint')}`}
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
      <Button text={t('factors.addTotp')} className="mt-3" busy={isAdding} onClick={() => addFactor()} />
      {newFactor !== null && (
        <AddTotpDialog newFactor={newFactor} onAdded={onFinished} onClose={() => setNewFactor(null)} />
      )}
    </TitledSection>
  )
}
