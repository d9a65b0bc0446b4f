import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { CopyTextButton } from '@/components/app/copy-text-button'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { useSaveMutation } from '@/components/app/use-save'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Confirm, Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { Answer } from '@/lib/contract/endpoints'

type AddTotpProps = {
  newFactor: Answer<'POST /api/account/second-factors/totp'>
  /** Called once the app is added, and, if it is the first, the recovery codes have been shown. */
  onAdded: (() => void) | undefined
  onClose: () => void
}

export function AddTotpDialog({ newFactor: { id, secret, uri }, onAdded, onClose }: AddTotpProps) {
  const t = useTranslations('account')
  const groupedSecret = secret.replace(/(.{4})(?=.)/g, '$1 ')
  const [code, setCode] = useState('')
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const finish = () => {
    onClose()
    onAdded?.()
  }
  const saving = useSaveForm({
    values: { id, code },
    send: (body) => api('POST /api/account/second-factors/totp/confirm', { body }),
    successMessage: t('totp.added'),
    failureMessage: (error) => (hasStatus(error, 400) ? { code: t('totp.wrong') } : undefined),
    invalidate: 'GET /api/account/second-factors',
    onSaved: ({ recoveryCodes: codes }) => (codes === null ? finish() : setRecoveryCodes(codes)),
  })
  if (recoveryCodes !== null)
    return (
      <Dialog onClose={finish} title={t('codes.title')} isMandatory>
        <RecoveryCodes codes={recoveryCodes} onClose={finish} />
      </Dialog>
    )
  return (
    <Dialog onClose={onClose} title={t('totp.title')}>
      <DialogForm saving={saving} saveLabel={t('totp.confirm')} onClose={onClose}>
        <p className="text-sm text-pretty text-mute">{t('totp.scan')}</p>
        {/* oxlint-disable-next-line nextjs/no-img-element -- a data URL needs no optimizer */}
        <img
          alt={t('totp.qrLabel')}
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { ecc: 'M', border: 4 }))}`}
          className="mx-auto size-52 max-w-full"
        />
        <p className="text-sm text-mute">
          {t('totp.typeKey')} <code className="block font-mono wrap-anywhere text-ink">{groupedSecret}</code>
        </p>
        <div className="flex flex-wrap gap-2">
          <a href={uri} className={buttonClass({ size: 'sm', className: 'not-touch:hidden' })}>
            {t('totp.openApp')}
          </a>
          <CopyTextButton size="sm" textToCopy={secret} text={t('totp.copyKey')} />
        </div>
        <TextField
          label={t('totp.code')}
          error={saving.getFieldError('code')}
          // The field has no focus at first on a touch screen, where the keyboard would cover the QR code.
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          inputMode="numeric"
          autoComplete="one-time-code"
          // A blank is allowed, because apps show the six digits in two groups.
          pattern="[0-9]{3} ?[0-9]{3}"
          required
          className="tabular"
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </DialogForm>
    </Dialog>
  )
}

/** The question and the new codes share one dialog, so that the focus returns to the button that opened it. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('account.codes')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const renewing = useSaveMutation({
    send: () => api('POST /api/account/recovery-codes'),
    successMessage: t('renewed'),
    invalidate: 'GET /api/account/second-factors',
    onSaved: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  return (
    // The codes are shown once, so neither Escape nor a press outside closes their dialog.
    <Dialog onClose={onClose} title={t(codes === null ? 'renewTitle' : 'title')} isMandatory={codes !== null}>
      {codes === null ? (
        <Confirm text={t('renewBody')} yes={t('renew')} {...renewing} onYes={() => renewing.save()} onNo={onClose} />
      ) : (
        <RecoveryCodes codes={codes} onClose={onClose} />
      )}
    </Dialog>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
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
        <CopyTextButton textToCopy={codes.join('\n')} text={t('copy')} />
        <Button text={t('done')} variant="primary" autoFocus onClick={onClose} />
      </div>
    </div>
  )
}
