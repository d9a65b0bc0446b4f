import { useTranslations } from 'next-intl'
import { useCopy } from '@/components/desk/copy'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'

/** The ten codes, which nobody can show again: neither Escape nor a press outside loses them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations('account.codes')
  const [copied, copy] = useCopy(codes.join('\n'))
  return (
    <Dialog open onClose={onClose} title={t('title')} insistent>
      <div className="flex flex-col gap-4 px-5 pb-5">
        <p className="text-sm text-pretty text-mute">{t('body')}</p>
        <ol className="tabular grid gap-y-1.5 rounded-md bg-fill p-3 font-mono text-sm wrap-anywhere max-[26rem]:text-xs">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={copy}>
            <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
          </Button>
          <Button variant="primary" autoFocus onClick={onClose}>
            {t('done')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
