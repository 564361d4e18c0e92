// Buttons. One that shows only an icon has a name for screen readers, which is also its tip.
import type {ComponentChildren, JSX} from 'preact';

import {Icon, type IconName} from './icons';

type Native = Omit<JSX.IntrinsicElements['button'], 'icon' | 'size'>;

export interface ButtonProps extends Native {
  icon?: IconName;
  look?: 'plain' | 'primary' | 'outlined' | 'muted' | 'danger';
  size?: 'normal' | 'small';
  /** Marks the one that holds, among several. */
  chosen?: boolean;
  children?: ComponentChildren;
}

export function Button({
  icon,
  look = 'plain',
  size = 'normal',
  chosen,
  children,
  class: extra,
  ...rest
}: ButtonProps) {
  const names = ['button'];
  if (look !== 'plain') names.push(look);
  if (size === 'small') names.push('small');
  if (chosen) names.push('chosen');
  if (children === undefined || children === false) names.push('square');
  if (typeof extra === 'string') names.push(extra);
  return (
    <button type="button" {...rest} class={names.join(' ')}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  icon: IconName;
  name: string;
  /** The key that does the same, as the tip shows it. */
  hotkey?: string;
}

export function IconButton({name, hotkey, ...rest}: IconButtonProps) {
  return (
    <Button
      {...rest}
      aria-label={name}
      data-tip={name}
      data-key={hotkey}
      aria-keyshortcuts={ariaKey(hotkey)}
    />
  );
}

function ariaKey(hotkey: string | undefined): string | undefined {
  return hotkey?.replace('⇧', 'Shift+').replace('Esc', 'Escape').replace('Del', 'Delete');
}
