import { Input } from '@/components/ui/field'

type ListSearchProps = { label: string; text: string; onType: (text: string) => void; result: string }

export function ListSearch({ label, text, onType, result }: ListSearchProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Input
        type="search"
        value={text}
        aria-label={label}
        placeholder={label}
        onChange={({ target }) => onType(target.value)}
        // Enter is swallowed, because it would save the form around the search.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className="max-w-80"
      />
      <p role="status" className="tabular text-sm text-mute">
        {result}
      </p>
    </div>
  )
}
