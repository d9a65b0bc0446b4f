import { useQuery } from '@tanstack/react-query'
import { LifeBuoy, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { CopyTextButton } from '@/components/desk/copy'
import { lazyDialog } from '@/components/desk/lazy-part'
import { ConfirmButton, useConfirmed } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Confirm, Dialog, DialogButton } from '@/components/ui/dialog'
import { LoadFailure } from '@/components/ui/load-failure'
import { TitledSection } from '@/components/ui/headings'
import { type Answer, api, apiQuery } from '@/lib/api/call'
import type { SecondFactorsAnswer } from '@/lib/contract/account'
import { AccountList, AccountRow } from './account-rows'

const AddTotpDialog = lazyDialog(async () => (await import('./add-totp-dialog')).AddTotpDialog)

/** `onFinished`: a factor was added, and its recovery codes are saved. */
export function SecondFactorsSection({
  initial,
  onFinished,
}: {
  initial: SecondFactorsAnswer
  onFinished?: () => void
}) {
  const t = useTranslations('account.factors')
  const codesText = useTranslations('account.codes')
  const when = useDayAndTime()
  const query = { ...apiQuery('GET /api/account/second-factors'), initialData: initial }
  const { data, isError, refetch } = useQuery(query)
  const { factors } = data
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const onFactorAdded = ({ recoveryCodes }: Answer<'POST /api/account/second-factors/totp/confirm'>) => {
    setAdding(false)
    setCodes(recoveryCodes)
    void refetch()
    if (recoveryCodes === null) onFinished?.()
  }
  const closeCodes = () => {
    setCodes(null)
    onFinished?.()
  }
  return (
    <TitledSection id="second-factors" title={t('title')} hint={t('body')}>
      {isError && <LoadFailure onRetry={refetch} />}
      {factors.length === 0 ? (
        <p className="text-sm">{t('none')}</p>
      ) : (
        <AccountList>
          {factors.map(({ id, name, createdAt, lastUsedAt }) => (
            <AccountRow
              key={id}
              icon={Smartphone}
              title={<p className="font-medium wrap-anywhere">{name}</p>}
              facts={[
                t('added', { when: when(createdAt) }),
                lastUsedAt === null ? t('unused') : t('used', { when: when(lastUsedAt) }),
              ].join(' · ')}
              action={
                <ConfirmButton
                  text={t('remove')}
                  size="sm"
                  aria-label={t('removeNamed', { name })}
                  ask={{
                    title: t('removeTitle', { name }),
                    text: t(factors.length === 1 ? 'removeLastBody' : 'removeBody'),
                    yes: t('remove'),
                  }}
                  saving={{
                    send: () => api('DELETE /api/account/second-factors/[id]', { params: { id } }),
                    done: t('removed', { name }),
                    refresh: 'GET /api/account/second-factors',
                  }}
                />
              }
            />
          ))}
          <RecoveryCodes left={data.recoveryCodesLeft} />
        </AccountList>
      )}
      <Button text={t('addTotp')} className="mt-3" onClick={() => setAdding(true)} />
      {isAdding && <AddTotpDialog onAdded={onFactorAdded} onClose={() => setAdding(false)} />}
      {codes !== null && (
        <Dialog onClose={closeCodes} title={codesText('title')} insistent>
          <NewCodes codes={codes} onClose={closeCodes} />
        </Dialog>
      )}
    </TitledSection>
  )
}

const LOW_CODES_BELOW = 3

function RecoveryCodes({ left }: { left: number }) {
  const t = useTranslations('account.codes')
  return (
    <AccountRow
      icon={LifeBuoy}
      title={<h3 className="font-medium">{t('title')}</h3>}
      facts={
        <>
          <span className={left < LOW_CODES_BELOW ? 'text-danger' : undefined}>{t('left', { count: left })}</span>{' '}
          {t('hint')}
        </>
      }
      action={<DialogButton text={t('renew')} size="sm" dialog={(close) => <RenewDialog onClose={close} />} />}
    />
  )
}

/** One dialog for the question and the new codes, so that the focus goes back to the button. */
function RenewDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('account.codes')
  const [codes, setCodes] = useState<string[] | null>(null)
  const renewing = useConfirmed({
    send: () => api('POST /api/account/recovery-codes'),
    done: t('renewed'),
    refresh: 'GET /api/account/second-factors',
    onSaved: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  // Closed while the old codes are being replaced, the new ones would never be seen.
  const mustStay = codes !== null || renewing.busy
  return (
    <Dialog onClose={onClose} title={t(codes === null ? 'renewTitle' : 'title')} insistent={mustStay}>
      {codes === null ? (
        <Confirm text={t('renewBody')} yes={t('renew')} {...renewing} onNo={() => mustStay || onClose()} />
      ) : (
        <NewCodes codes={codes} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** The ten codes are shown once, so neither Escape nor a press outside closes their dialog. */
function NewCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations('account.codes')
  return (
    <div className="flex flex-col gap-4 px-5 pb-5">
      <p className="text-sm text-pretty text-mute">{t('body')}</p>
      <ol className="tabular grid gap-y-1.5 rounded-md bg-fill p-3 font-mono text-sm wrap-anywhere max-[26rem]:text-xs">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyTextButton copies={codes.join('\n')} text={t('copy')} />
        <Button text={t('done')} variant="primary" autoFocus onClick={onClose} />
      </div>
    </div>
  )
}
