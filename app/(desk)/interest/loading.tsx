import { LoadingPage } from '@/components/ui/loading'

export default function Loading() {
  return <LoadingPage lines={['h-6 w-44', 'h-4 w-72 max-w-full', 'h-96 rounded-lg']} />
}
