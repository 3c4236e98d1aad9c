// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// What is known of a word beside its address.
///
/// @param name for people
/// @param remark what may be the reason that it does not come to be as awaited; empty if nothing is known
/// @param writer world number of the PE that alone updates it, or −1
public record AwaitedWord(String name, String remark, int writer) {}
