import { useTranslations } from 'next-intl'
import { Dialog } from '@/components/ui/dialog'
import { Checkbox } from '@/components/ui/field'
import { Kbd, findModifierKey, setCharacterShortcuts, useHasCharacterShortcuts } from '@/components/ui/kbd'
import { groupBy } from '@/lib/group-by'
import { type CommandId, COMMANDS, listShownKeys } from '@/lib/keyboard/commands'

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('palette')
  const hasCharacterShortcuts = useHasCharacterShortcuts()
  const commandsWithKeys = COMMANDS.filter(({ id }) => listShownKeys(id, hasCharacterShortcuts).length > 0)
  return (
    <Dialog onClose={onClose} title={t('help')} shape="page">
      {/* Chromium focuses this element, so that arrow keys scroll it. It has no outline, which would be cut off. */}
      <div className="scroll-thin max-h-[80dvh] overflow-y-auto px-5 pt-1 pb-4 outline-none">
        <div className="gap-x-10 desk:columns-2 wide:columns-3">
          {[...groupBy(commandsWithKeys, ({ group }) => group)].map(([group, commands]) => (
            <section key={group} aria-labelledby={`help-${group}`} className="break-inside-avoid pb-4">
              <h3 id={`help-${group}`} className="pb-1.5 text-xs font-semibold text-faint">
                {t(`group.${group}`)}
              </h3>
              <dl className="flex flex-col">
                {commands.map(({ id }) => (
                  <div key={id} className="flex min-h-7 flex-wrap items-center justify-end gap-x-4 text-sm">
                    <dt className="min-w-[min(9rem,100%)] flex-1 wrap-anywhere">{t(`command.${id}`)}</dt>
                    <dd>
                      <CommandKeys id={id} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Checkbox
          label={t('characters.label')}
          hint={t('characters.hint')}
          checked={hasCharacterShortcuts}
          onChange={setCharacterShortcuts}
        />
        <p className="mt-3 text-xs text-pretty text-mute">
          {t('helpHint')}{' '}
          <a href="/help" className="text-accent underline underline-offset-2">
            {t('handbook')}
          </a>
        </p>
      </div>
    </Dialog>
  )
}

export function CommandKeys({ id }: { id: CommandId }) {
  const t = useTranslations('palette.key')
  const keyLabels: Readonly<Record<string, string>> = {
    Mod: findModifierKey(),
    Shift: t('shift'),
    Escape: t('escape'),
    ' ': t('space'),
    ArrowDown: '↓',
    ArrowUp: '↑',
  }
  return (
    <span className="inline-flex gap-1">
      {listShownKeys(id, useHasCharacterShortcuts()).map((key) => (
        <Kbd key={key}>{keyLabels[key] ?? key}</Kbd>
      ))}
    </span>
  )
}
