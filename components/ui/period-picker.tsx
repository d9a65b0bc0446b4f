import { Button } from './button'
import { TextField } from './field'

/** Calendar days, `yyyy-MM-dd`, both included; null is open. */
type Period = { from: string | null; to: string | null }

type PeriodPickerProps<Preset extends string> = {
  presets: readonly { value: Preset; label: string }[]
  preset: Preset | null
  period: Period
  words: { from: string; to: string; done: string }
  latest?: string
  onPreset: (preset: Preset) => void
  onPeriod: (period: Partial<Period>) => void
  close: () => void
}

export function PeriodPicker<Preset extends string>(props: PeriodPickerProps<Preset>) {
  const { presets, preset, period, words, latest, onPreset, onPeriod, close } = props
  return (
    <div className="flex w-60 flex-col">
      {presets.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === preset}
          onClick={() => (onPreset(value), close())}
          className="min-h-8 rounded-sm px-2.5 text-left text-sm hover:bg-hover aria-pressed:bg-fill aria-pressed:font-medium touch:min-h-11"
        >
          {label}
        </button>
      ))}
      <div className="mt-1 flex flex-col gap-2.5 border-t border-line-soft p-2.5">
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={words[end]}
            day={period[end]}
            min={latest && end === 'to' ? (period.from ?? undefined) : undefined}
            max={latest && end === 'from' ? (period.to ?? latest) : latest}
            onChange={(day) => onPeriod({ [end]: day })}
          />
        ))}
        <Button text={words.done} size="sm" onClick={close} />
      </div>
    </div>
  )
}

const EARLIEST = '2000-01-01'
const LATEST = '2100-12-31'

type DayFieldProps = {
  label: string
  day: string | null
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | null) => void
}

/** Years are typed digit by digit: `0002` on the way to `2026` does not count. */
function DayField({ label, day, min = EARLIEST, max = LATEST, onChange }: DayFieldProps) {
  const onPick = ({ value, validity }: HTMLInputElement) => {
    if (validity.badInput) return
    if (value === '') onChange(null)
    else if (value >= EARLIEST && value <= LATEST) onChange(value)
  }
  return (
    <TextField
      label={label}
      type="date"
      defaultValue={day ?? ''}
      min={min}
      max={max}
      onChange={({ target }) => onPick(target)}
    />
  )
}
